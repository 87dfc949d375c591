// Command gen writes the synthetic cases and their suite into a folder.
package main

import (
	"flag"
	"fmt"
	"os"

	"newel/bench/six"
)

func main() {
	n := flag.Int("n", 10_000, "cases")
	seed := flag.Uint64("seed", 1, "seed")
	peer := flag.Bool("peer", false, "also write them in promptfoo's format")
	flag.Parse()
	if flag.NArg() != 1 || *n < 1 {
		fmt.Fprintln(os.Stderr, "usage: gen [-n N] [-seed N] [-peer] FOLDER")
		os.Exit(2)
	}
	err := six.Write(flag.Arg(0), *seed, *n)
	if err == nil && *peer {
		err = six.WritePeer(flag.Arg(0), *seed, *n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
