// Command ask is what the speed of judged runs is held against: so many posts to
// an upstream by Go's own client, so many at a time, each about as long as a
// judge's. It reads the answers and looks at nothing.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("usage: ask URL POSTS AT-ONCE")
	}
	posts, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	atOnce, err := strconv.Atoi(args[2])
	if err != nil || atOnce < 1 {
		return fmt.Errorf("AT-ONCE is a number from 1, not %q", args[2])
	}
	return ask(args[0]+"/v1/chat/completions", posts, atOnce)
}

// length is that of a post: of a short prompt with a short case.
const length = 4 << 10

func ask(url string, posts, atOnce int) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: atOnce, MaxIdleConnsPerHost: atOnce, WriteBufferSize: 4 * length}}
	body := `{"model":"m","messages":[{"role":"user","content":"` + strings.Repeat("a", length) + `"}]}`
	var askers sync.WaitGroup
	next, failed := make(chan struct{}), make(chan error, atOnce)
	for range atOnce {
		askers.Go(func() {
			var first error
			for range next {
				if err := post(client, url, body); first == nil {
					first = err
				}
			}
			failed <- first
		})
	}
	for range posts {
		next <- struct{}{}
	}
	close(next)
	askers.Wait()
	close(failed)
	for err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

func post(client *http.Client, url, body string) error {
	resp, err := client.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d", resp.StatusCode)
	}
	return nil
}
