package gateway

import (
	"context"
	"fmt"
	"strings"

	"newel"
)

// LookUp asks the gateway what a call cost that was of unknown cost when it was
// made, of the gateways that tell it only afterwards. It returns the call with
// what was found; false: this gateway cannot say, or cannot yet.
func (c *Client) LookUp(ctx context.Context, call newel.Call) (newel.Call, bool, error) {
	d, ok := dialectNamed(call.Dialect)
	if !ok || d.lookup == nil {
		return call, false, nil
	}
	req, err := d.lookup.ask(c.to, c.options.Key, &call)
	if err != nil || req == nil {
		return call, false, err
	}
	for name, v := range c.options.Headers {
		if d.lookup.auth != "" && strings.EqualFold(name, d.lookup.auth) {
			req.Header.Set("Authorization", v)
		}
	}
	resp, err := c.http.Do(req.WithContext(ctx))
	if err != nil {
		return call, false, fmt.Errorf("look up a call: %s", c.mask.Mask(bare(err).Error()))
	}
	defer resp.Body.Close()
	r, f := c.response(ctx, resp)
	switch {
	case f != nil:
		return call, false, fmt.Errorf("look up a call: %s", c.mask.Mask(f.Message))
	case r.status == 404, r.status == 202:
		return call, false, nil // not there yet
	case !r.ok():
		r.decode()
		return call, false, fmt.Errorf("look up a call: %s", clip(c.mask.Mask(r.told()), maxShown))
	}
	r.decode()
	later := call
	if !found(d, r, &later, c.prices) {
		return call, false, nil
	}
	return later, true, nil
}

// found takes what a look-up brought into the call and settles its cost anew.
func found(d *dialect, r *response, c *newel.Call, p *Prices) bool {
	if !d.lookup.read(r, c) {
		return false
	}
	held := c.Cost.Held
	c.Cost.Excludes = ""
	settle(c, r, d.traits, p, true)
	c.Cost.Held = held
	return true
}
