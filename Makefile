# What a developer types. Everything needs Go alone; the rest is installed when
# it is first used, outside the checkout.

.PHONY: help test quick cover bench bench-large clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile | expand -t 20

test: ## all tests, doing their own set-up: format, vet, lint, unit, faults, arm64, fuzz
	@go run ./internal/ci

quick: ## format, vet and unit tests without the race detector
	@test -z "$$(gofmt -l $$(find . -name '*.go' -not -path './.*'))" && go vet ./... && go test ./...

cover: ## unit tests with the share of statements that they reach, as cover.html
	go test -coverpkg=./... -coverprofile=cover.out ./...
	go tool cover -func=cover.out | tail -1
	go tool cover -html=cover.out -o cover.html

bench: ## speed against bare loops over the same cases and the same posts; PEER=promptfoo adds that program
	@go run ./bench $(if $(PEER),-peer $(PEER))

bench-large: ## the same with a million cases
	@go run ./bench -large $(if $(PEER),-peer $(PEER))

clean: ## remove what the commands above leave in the checkout
	rm -f newel cover.out cover.html
