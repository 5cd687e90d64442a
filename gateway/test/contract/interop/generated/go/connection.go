package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"example.com/generated/postern"
)

// ResponseError is an error response of the gateway.
type ResponseError struct {
	postern.ErrorResponse
}

func (e *ResponseError) Error() string {
	return e.Code + ": " + e.Result
}

// failure returns the error in the body of a response without JSON200.
func failure(body []byte) error {
	var refused ResponseError
	if err := json.Unmarshal(body, &refused.ErrorResponse); err != nil {
		return fmt.Errorf("not a response of the gateway: %w", err)
	}
	return &refused
}

func connect(ctx context.Context, url, clientID, password string) (*postern.ClientWithResponses, error) {
	open, err := postern.NewClientWithResponses(url)
	if err != nil {
		return nil, err
	}
	token, err := open.IssueTokenWithResponse(ctx, &postern.IssueTokenParams{
		XSVCClientId:     clientID,
		XSVCClientPasswd: password,
	})
	if err != nil {
		return nil, err
	}
	if token.JSON200 == nil {
		return nil, failure(token.Body)
	}
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.JSON200.Data.Token)
		return nil
	}
	return postern.NewClientWithResponses(url, postern.WithRequestEditorFn(authorize))
}
