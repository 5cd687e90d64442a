package main

import (
	"context"
	"encoding/json"
	"io"
	"net/http"

	"example.com/generated/postern"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// registerWebhook creates a webhook. Only this response contains the secret: store it.
func registerWebhook(ctx context.Context, client *postern.ClientWithResponses, url string) (*standardwebhooks.Webhook, error) {
	created, err := client.CreateWebhookWithResponse(ctx, postern.WebhookRequest{Url: url, Notices: ptr(false)})
	if err != nil {
		return nil, err
	}
	if created.JSON200 == nil {
		return nil, failure(created.Body)
	}
	return standardwebhooks.NewWebhook(created.JSON200.Data.Secret)
}

// receiveReports verifies the signature of each push and stores its report.
func receiveReports(webhook *standardwebhooks.Webhook, store func(postern.Report) error) http.HandlerFunc {
	return func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || webhook.Verify(body, request.Header) != nil {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}
		var report postern.Report
		if json.Unmarshal(body, &report) != nil || store(report) != nil {
			response.WriteHeader(http.StatusInternalServerError)
			return
		}
		// Any 2xx acknowledges the report.
		response.WriteHeader(http.StatusNoContent)
	}
}
