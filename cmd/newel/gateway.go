package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"newel"
	"newel/gateway"
)

func (a *app) gatewayCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "gateway COMMAND", Short: "find out what an LLM gateway tells of its calls",
		Args: cobra.ArbitraryArgs, RunE: noCommand,
	}
	c.AddCommand(a.probeCommand())
	return c
}

func (a *app) probeCommand() *cobra.Command {
	f := probeFlags{url: "", dialect: "auto", maxUSD: "0.05", maxTokens: 256, timeout: time.Minute}
	c := &cobra.Command{
		Use: "probe URL", Short: "call a gateway six times and say what it tells",
		Long: `Call a gateway as a judge would, and say which facts come back: cost and how
it is known, the model that answered, fallback, guardrail, attempts, latency
and what it covers, caches, usage, ids, limits, structured output, logprobs,
and what is left of these on an error.

The calls are a short prompt, a long one twice (the second may be cached), a
model that does not exist, a JSON schema, and logprobs. They cost money, which
is told at the end.

URL goes up to /v1 or up to the route itself; it may be '${VAR}'. No key is
taken on the command line: --key-env and '${VAR}' name the variables that hold
one. HTTPS_PROXY and NO_PROXY work as usual.

Exit codes: 0 done; 2 usage, or a variable that is not set; 3 the gateway was
not reached, or answered no call.`,
		Example: "  newel gateway probe http://localhost:4000/v1 --model gpt-5-mini --key-env LITELLM_KEY\n" +
			"  newel gateway probe '${NEWEL_GATEWAY}' --model gpt-5-mini --header 'x-bf-vk: ${BIFROST_KEY}'",
		Args: exact("one URL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.url, f.bounded = args[0], cmd.Flags().Changed("max-usd")
			return a.probe(cmd.Context(), f)
		},
	}
	l := c.Flags()
	l.StringVar(&f.model, "model", "", "the model to ask (required: it is your money)")
	l.StringVar(&f.dialect, "dialect", f.dialect, "auto, or how to read the answers: "+strings.Join(gateway.Dialects(), ", "))
	l.StringVar(&f.keyEnv, "key-env", "", "the variable that holds the key")
	l.StringArrayVar(&f.headers, "header", nil, "'Name: ${VAR}' to send with each call; repeatable")
	l.StringVar(&f.prices, "prices", "", "a price table in place of the built-in one: newel's form or LiteLLM's")
	l.StringVar(&f.maxUSD, "max-usd", f.maxUSD, "refuse where the price table's worst is more dollars than this")
	l.Var(&wholeFlag{to: &f.maxTokens, least: 16, most: 100_000, unset: "left out, 256"}, "max-tokens", "of each answer; models that think need more")
	l.DurationVar(&f.timeout, "timeout", f.timeout, "of each call")
	l.StringVar(&f.ca, "ca", "", "a PEM file of certificate authorities to trust besides the system's")
	_ = c.RegisterFlagCompletionFunc("dialect", cobra.FixedCompletions(append([]string{"auto"}, gateway.Dialects()...), cobra.ShellCompDirectiveNoFileComp))
	return c
}

// probeFlags are the flags of gateway probe as they were given.
type probeFlags struct {
	url, model, dialect, keyEnv string
	headers                     []string
	prices, maxUSD, ca          string
	bounded                     bool // --max-usd was given
	maxTokens                   int
	timeout                     time.Duration
}

func (a *app) probe(ctx context.Context, f probeFlags) error {
	most, err := f.check()
	if err != nil {
		return err
	}
	o, err := a.gatewayOptions(f)
	if err != nil {
		return err
	}
	client, err := gateway.New(o)
	if err != nil {
		return usage("%v", err)
	}
	defer client.Close()
	if f.bounded && !client.Priced(f.model) {
		return usage("--max-usd cannot hold: table %s has no price for %q; name one that has with --prices, or leave --max-usd out, which is then held against what the gateway tells", client.Prices().Version(), f.model)
	}
	nonce := make([]byte, 8)
	if _, err := io.ReadFull(a.rand, nonce); err != nil {
		return err
	}
	c, err := gateway.Probe(ctx, client, gateway.ProbeOptions{Model: f.model, MaxTokens: f.maxTokens, Timeout: f.timeout, Most: most, Nonce: hex.EncodeToString(nonce)})
	var dear *gateway.DearError
	if errors.As(err, &dear) {
		return usage("%v: raise --max-usd, lower --max-tokens, or probe with a cheaper model", dear)
	}
	if heard(c) {
		if printed := a.printCoverage(c); printed != nil {
			return printed
		}
	}
	var failed *gateway.ProbeError
	if errors.As(err, &failed) {
		return &exitError{exitIncomplete, fmt.Errorf("%w; %s", failed, f.advice(failed))}
	}
	return err
}

// heard reports whether anything came back at all.
func heard(c gateway.Coverage) bool {
	for i := range c.Calls {
		if c.Calls[i].Call.Status != 0 {
			return true
		}
	}
	return false
}

// check looks at flags that need no file and no variable.
func (f probeFlags) check() (newel.Money, error) {
	most, err := newel.ParseMoney(f.maxUSD)
	dialects := append([]string{"auto"}, gateway.Dialects()...)
	switch {
	case f.model == "":
		return 0, usage("--model is missing: there is no default, it is your money")
	case err != nil:
		return 0, usage("--max-usd: %v", err)
	case most <= 0:
		return 0, usage("--max-usd %s: it is more than 0", cut(f.maxUSD))
	case f.timeout <= 0:
		return 0, usage("--timeout %s: it is more than 0", f.timeout)
	case !slices.Contains(dialects, f.dialect):
		return 0, usage("--dialect %q%s; there are %s", cut(f.dialect), newel.DidYouMean(f.dialect, dialects), strings.Join(dialects, ", "))
	case f.keyEnv != "" && !variableName.MatchString(f.keyEnv):
		return 0, usage("--key-env takes the name of a variable, such as OPENAI_API_KEY; what was given is none, and not repeated here, as it may be a key")
	}
	return most, nil
}

// advice says what to do about a gateway that answered no call.
func (f probeFlags) advice(e *gateway.ProbeError) string {
	switch c := e.Call; {
	case e.Fault.Kind == newel.KindTooLarge:
		return "see whether the URL is that of an API: it goes up to /v1"
	case e.Fault.Kind == newel.KindTimeout:
		return "see whether the gateway reaches its provider, or raise --timeout (" + f.timeout.String() + ")"
	case c.Status == 0:
		return "check the URL, the network and HTTPS_PROXY; an authority of your own is named with --ca FILE"
	case c.Status == http.StatusUnauthorized && f.keyEnv == "":
		return "name the variable that holds the key with --key-env"
	case c.Status == http.StatusUnauthorized, c.Status == http.StatusForbidden && c.Outcome == "client_error":
		return "check the key, and what it may do"
	case c.Outcome == "budget":
		return "the gateway's own budget or credit is spent: raise it there"
	case c.Outcome == "rate_limited":
		return "wait, and try again"
	case c.Status == http.StatusNotFound:
		return "check the URL, which goes up to /v1, and --model"
	case c.Status < 300:
		return "see whether the URL is that of an API: it goes up to /v1"
	case c.Status < 500:
		return "check --model, --dialect and --header against what the gateway says"
	}
	return "look for the call in the gateway's log"
}

// maxTable bounds a file that a flag names, in bytes.
const maxTable = 64 << 20

func readFlagFile(flag, name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, usage("--%s: %v", flag, err)
	case !info.Mode().IsRegular() || info.Size() > maxTable:
		return nil, usage("--%s %s: it is no file of at most %d MiB", flag, name, maxTable>>20)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usage("--%s: %v", flag, err)
	}
	return text, nil
}
