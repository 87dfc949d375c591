package main

import (
	"fmt"
	"strings"
)

// refused is why the judges stopped asking, with what may help; err where they
// did not.
func (j *judging) refused(err error) error {
	if j == nil {
		return err
	}
	why := j.account.Refused()
	if why == nil {
		return err
	}
	hint := ""
	for called, g := range j.suite.Gateways(nil) {
		if strings.HasPrefix(why.Lane, called+"/") && g.KeyEnv != "" && (why.Status == 401 || why.Status == 403) {
			hint = "\nits key comes from the variable " + g.KeyEnv
		}
	}
	return fmt.Errorf("no judge was asked any more: %w%s", why, hint)
}
