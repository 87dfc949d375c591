package gateway

import "net/url"

// IsMessages reports whether an address, variables in it or not, shows that
// calls travel in the form of the Messages API.
func IsMessages(address string) bool {
	to, err := url.Parse(address)
	return err == nil && isMessagesURL(to)
}
