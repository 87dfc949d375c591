// Command cmd runs a scripted upstream on loopback until it is interrupted:
//
//	go run ./bench/upstream/cmd -delay 500ms -capacity 50
//
// It prints its address as the first line, its counters as JSON at GET /stats
// and in the end, and sets them to zero at POST /reset.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"newel"
	"newel/bench/upstream"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "upstream:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	addr, script, err := settings(args)
	if err != nil {
		return err
	}
	s, err := upstream.Listen(addr, script)
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Fprintln(out, s.URL)
	<-ctx.Done()
	return json.NewEncoder(out).Encode(s.Counts())
}

// settings reads the flags.
func settings(args []string) (addr string, script upstream.Script, err error) {
	f := flag.NewFlagSet("upstream", flag.ContinueOnError)
	f.StringVar(&addr, "addr", "127.0.0.1:18080", "loopback address; port 0: any")
	f.DurationVar(&script.Delay, "delay", 0, "time that an answer takes")
	f.DurationVar(&script.Spread, "spread", 0, "a drawn part of this is added to the delay")
	f.Uint64Var(&script.Seed, "seed", 1, "of all draws")
	f.StringVar(&script.Dialect, "dialect", "", "gateway whose headers are worn: litellm, agentcc; empty: none")
	f.StringVar(&script.Model, "model", "", "that answers; empty: the one asked for, with a date")
	f.StringVar(&script.Key, "key", "", "that calls must bring")
	f.DurationVar(&script.RetryAfter, "retry-after", time.Second, "told with a 429")
	text := f.String("text", upstream.Pass, "of an answer; "+upstream.Mark+" stands for the code that the request gives to its case")
	fail := f.String("fail", `{"verdict":"fail"}`, "text of the answers of -fail-every")
	every := f.Int("fail-every", 0, "cases whose marker (case-N) is a multiple of this get the failing answer; 0: none")
	echo := f.Bool("echo", false, "answer with the last message")
	capacity := f.String("capacity", "", "calls that are let in at a time: 100, or 100:30s,20:10s,50 for one level after another")
	shares := shareFlags(f)
	usage := f.String("usage", "", "tokens of each answer: IN,CACHED,OUT,REASONING; empty: a token for four bytes")
	price := f.String("price", "", "dollars for a million tokens: IN,CACHED,OUT; empty: none")
	f.Func("header", `header of each answer, "Name: value"`, header(&script))
	if err := f.Parse(args); err != nil {
		return "", script, err
	}
	script.Act = upstream.FailEvery(*every, *text, *fail)
	if *echo {
		script.Act = upstream.Echo
	}
	script.Shares = shares(script.RetryAfter)
	if script.Capacity, err = levels(*capacity); err != nil {
		return "", script, fmt.Errorf("-capacity: %w", err)
	}
	if script.Usage, err = tokens(*usage); err != nil {
		return "", script, fmt.Errorf("-usage: %w", err)
	}
	if script.Price, err = prices(*price); err != nil {
		return "", script, fmt.Errorf("-price: %w", err)
	}
	return addr, script, nil
}

// shareFlags defines a flag for each kind of fault. What it returns lists
// them, once the flags are read.
func shareFlags(f *flag.FlagSet) func(after time.Duration) []upstream.Share {
	var parts [7]float64
	kinds := []struct {
		name, about string
		act         upstream.Act
	}{
		{"p429", "answered 429", upstream.Act{Status: 429}},
		{"p500", "answered 500", upstream.Act{Status: 500}},
		{"p400", "answered 400", upstream.Act{Status: 400}},
		{"p401", "answered 401", upstream.Act{Status: 401}},
		{"hang", "never answered", upstream.Act{Hang: true}},
		{"cut", "cut in the middle of the answer", upstream.Act{Cut: true}},
		{"nonsense", "answered 200 with what is no JSON", upstream.Act{Body: "<html>502 Bad Gateway</html>"}},
	}
	for i, k := range kinds {
		f.Float64Var(&parts[i], k.name, 0, "share of calls that are "+k.about)
	}
	return func(after time.Duration) []upstream.Share {
		kinds[0].act.RetryAfter = after
		var all []upstream.Share
		for i, k := range kinds {
			if parts[i] > 0 {
				all = append(all, upstream.Share{Part: parts[i], Act: k.act})
			}
		}
		return all
	}
}

func header(script *upstream.Script) func(string) error {
	return func(line string) error {
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return fmt.Errorf("want Name: value, got %q", line)
		}
		if script.Header == nil {
			script.Header = map[string][]string{}
		}
		script.Header.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		return nil
	}
}

func levels(text string) ([]upstream.Level, error) {
	var all []upstream.Level
	for _, part := range list(text) {
		count, long, timed := strings.Cut(part, ":")
		var level upstream.Level
		var err error
		if level.InFlight, err = strconv.Atoi(count); err != nil {
			return nil, err
		}
		if timed {
			if level.For, err = time.ParseDuration(long); err != nil {
				return nil, err
			}
		}
		all = append(all, level)
	}
	return all, nil
}

func tokens(text string) (*upstream.Usage, error) {
	parts := list(text)
	if len(parts) == 0 {
		return nil, nil
	}
	var n [4]int64
	if len(parts) != len(n) {
		return nil, fmt.Errorf("want four numbers, got %q", text)
	}
	for i, part := range parts {
		var err error
		if n[i], err = strconv.ParseInt(part, 10, 64); err != nil {
			return nil, err
		}
	}
	return &upstream.Usage{In: n[0], Cached: n[1], Out: n[2], Reasoning: n[3]}, nil
}

func prices(text string) (upstream.Price, error) {
	parts := list(text)
	if len(parts) == 0 {
		return upstream.Price{}, nil
	}
	var m [3]newel.Money
	if len(parts) != len(m) {
		return upstream.Price{}, fmt.Errorf("want three amounts, got %q", text)
	}
	for i, part := range parts {
		million, err := newel.ParseMoney(part)
		if err != nil {
			return upstream.Price{}, err
		}
		m[i] = million / 1_000_000
	}
	return upstream.Price{In: m[0], Cached: m[1], Out: m[2]}, nil
}

func list(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
