// Requests a token, sends a message to the sandbox, reads its report and an error, with the generated client.
// Prints a line for each check. Settings come from the environment.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"example.com/generated/postern"
	"github.com/google/uuid"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	url := os.Getenv("POSTERN_URL")

	open, err := postern.NewClientWithResponses(url)
	check(err)
	token, err := open.IssueTokenWithResponse(ctx, &postern.IssueTokenParams{
		XSVCClientId:     os.Getenv("POSTERN_CLIENT_ID"),
		XSVCClientPasswd: os.Getenv("POSTERN_PASSWORD"),
	})
	check(err)
	expect(token.JSON200 != nil, token.Body)
	fmt.Println("ok requests a token")

	client, err := postern.NewClientWithResponses(url, postern.WithRequestEditorFn(
		func(_ context.Context, request *http.Request) error {
			request.Header.Set("Authorization", "Bearer "+token.JSON200.Data.Token)
			return nil
		}))
	check(err)
	ref, key := "go", uuid.NewString()
	params := &postern.SendSmsParams{IdempotencyKey: &key}
	message := postern.SmsMessage{From: "0212345678", To: "01000000001", Text: "Hello from Go", Ref: &ref}
	sent, err := client.SendSmsWithResponse(ctx, params, message)
	check(err)
	expect(sent.JSON200 != nil, sent.Body)
	again, err := client.SendSmsWithResponse(ctx, params, message)
	check(err)
	expect(again.JSON200 != nil && again.JSON200.MsgKey == sent.JSON200.MsgKey, again.Body)
	fmt.Println("ok sends a message once with one Idempotency-Key")

	for {
		found, err := client.FindReportsWithResponse(ctx, sent.JSON200.MsgKey)
		check(err)
		expect(found.JSON200 != nil, found.Body)
		if reports := found.JSON200.Data.Report; len(reports) > 0 {
			expect(len(reports) == 1 && reports[0].Ref == ref && reports[0].ReportCode == "10000", found.Body)
			break
		}
		time.Sleep(200 * time.Millisecond)
	}
	fmt.Println("ok reads the report: delivered")

	wrong, err := client.SendSmsWithResponse(ctx, nil, postern.SmsMessage{From: "0212345678", To: "nobody", Text: "Hello"})
	check(err)
	expect(wrong.JSON400 != nil && wrong.JSON400.Code == "A306", wrong.Body)
	fmt.Println("ok an error has its code")
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(condition bool, body []byte) {
	if !condition {
		panic("unexpected answer: " + string(body))
	}
}
