// Uses the generated client against the sandbox of a gateway and prints a line for each check.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"example.com/generated/postern"
)

// The last four digits select the sandbox result: 0001 is delivered, 0023 supports only SMS.
const (
	phone       = "01000000001"
	plainPhone  = "01000000023"
	phoneAbroad = "+14155550001"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	client := must(connect(ctx, os.Getenv("POSTERN_URL"), os.Getenv("POSTERN_CLIENT_ID"), os.Getenv("POSTERN_PASSWORD")))
	fmt.Println("ok requests a token")
	messages := &Messages{client}
	reports := &Reports{client}
	checkChannels(ctx, messages, reports)
	checkRepetition(ctx, messages, reports)
	checkFallback(ctx, messages, reports)
	checkSearch(ctx, reports)
	checkPolling(ctx, reports)
	checkStream(ctx, reports)
	checkError(ctx, messages)
	checkWebhook(ctx, client, messages)
}

func checkChannels(ctx context.Context, messages *Messages, reports *Reports) {
	sent := []struct{ serviceType, msgKey string }{
		{"SMS", must(messages.AnnounceParcel(ctx, phone, "parcel-1"))},
		{"MMS", must(messages.SendPicture(ctx, phone, os.Getenv("POSTERN_IMAGE"), "sale-1"))},
		{"INTERNATIONAL", must(messages.SendCodeAbroad(ctx, phoneAbroad, "482913", "code-1"))},
		{"RCS", must(messages.RemindOfAppointment(ctx, phone, "appointment-1"))},
		{"ALIMTALK", must(messages.ConfirmShipment(ctx, phone, "order-1"))},
		{"FRIENDTALK", must(messages.PresentCollection(ctx, phone, "collection-1"))},
		{"BRANDMESSAGE", must(messages.AdvertiseCollection(ctx, phone, "collection-2"))},
	}
	for _, each := range sent {
		outcome := must(reports.WaitForOutcome(ctx, each.msgKey))
		expect(string(outcome.ServiceType) == each.serviceType && *outcome.Outcome == "delivered", outcome)
		fmt.Println("ok delivers", each.serviceType)
	}
}

func checkRepetition(ctx context.Context, messages *Messages, reports *Reports) {
	first := must(messages.AnnounceParcel(ctx, phone, "parcel-2"))
	again := must(messages.AnnounceParcel(ctx, phone, "parcel-2"))
	expect(again == first, again)
	must(reports.WaitForOutcome(ctx, first))
	fmt.Println("ok sends once with one Idempotency-Key")
}

func checkFallback(ctx context.Context, messages *Messages, reports *Reports) {
	keys := must(messages.AnnounceOrders(ctx, map[string]string{phone: "Minji", plainPhone: "Junho"}, "orders-1"))
	for to, serviceType := range map[string]string{phone: "ALIMTALK", plainPhone: "SMS"} {
		outcome := must(reports.WaitForOutcome(ctx, keys[to]))
		expect(string(outcome.ServiceType) == serviceType, outcome)
	}
	fmt.Println("ok falls back to SMS")
}

func checkSearch(ctx context.Context, reports *Reports) {
	found := make(map[string]string)
	var msgKey string
	for message, err := range reports.FindMessages(ctx, "orders-1", time.Now().Add(-time.Hour)) {
		check(err)
		found[message.To] = string(message.State)
		msgKey = message.MsgKey
	}
	expect(len(found) == 2 && found[phone] == "closed" && found[plainPhone] == "closed", found)
	fmt.Println("ok finds messages by ref")
	expect(*must(reports.Inquire(ctx, msgKey)).State == "closed", msgKey)
	expect(*must(reports.Inquire(ctx, "no-such-message")).State == "unknown", "no-such-message")
	fmt.Println("ok distinguishes closed and unknown messages")
}

func checkPolling(ctx context.Context, reports *Reports) {
	stored := make(map[string]bool)
	for must(reports.Collect(ctx, storeRefs(stored))) > 0 {
	}
	expect(stored["parcel-1"], stored)
	fmt.Println("ok polls and acknowledges reports")
}

func checkStream(ctx context.Context, reports *Reports) {
	stored := make(map[string]bool)
	for must(reports.Follow(ctx, "billing", storeRefs(stored))) > 0 {
	}
	expect(stored["parcel-1"], stored)
	fmt.Println("ok follows the report stream")
}

func storeRefs(stored map[string]bool) func([]postern.Report) error {
	return func(reports []postern.Report) error {
		for _, report := range reports {
			stored[report.Ref] = true
		}
		return nil
	}
}

func checkError(ctx context.Context, messages *Messages) {
	_, err := messages.AnnounceParcel(ctx, "invalid", "parcel-3")
	var refused *ResponseError
	expect(errors.As(err, &refused), err)
	expect(refused.Code == "A306" && *refused.Field == "to", refused)
	fmt.Println("ok reads the code and the field of an error")
}

func checkWebhook(ctx context.Context, client *postern.ClientWithResponses, messages *Messages) {
	received := make(chan postern.Report, 10)
	mux := http.NewServeMux()
	receiver := httptest.NewServer(mux)
	defer receiver.Close()
	webhook := must(registerWebhook(ctx, client, receiver.URL+"/reports"))
	mux.HandleFunc("POST /reports", receiveReports(webhook, func(report postern.Report) error {
		received <- report
		return nil
	}))
	msgKey := must(messages.AnnounceParcel(ctx, phone, "parcel-4"))
	report := <-received
	expect(report.MsgKey == msgKey && *report.Outcome == "delivered", report)
	fmt.Println("ok receives a report by webhook")
	unsigned := must(http.Post(receiver.URL+"/reports", "application/json", nil))
	expect(unsigned.StatusCode == 401, unsigned.Status)
	fmt.Println("ok refuses a push without a signature")
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func expect(condition bool, found any) {
	if !condition {
		panic(fmt.Sprintf("unexpected: %+v", found))
	}
}
