package main

import (
	"context"
	"iter"
	"time"

	"example.com/generated/postern"
)

// Reports reads delivery reports.
type Reports struct {
	client *postern.ClientWithResponses
}

// Inquire returns the state and the reports of one message.
func (r *Reports) Inquire(ctx context.Context, msgKey string) (*postern.InquiryResponse, error) {
	found, err := r.client.FindReportsWithResponse(ctx, msgKey)
	if err != nil {
		return nil, err
	}
	if found.JSON200 == nil {
		return nil, failure(found.Body)
	}
	return found.JSON200, nil
}

// WaitForOutcome polls until the message is closed and returns the report of its last step.
func (r *Reports) WaitForOutcome(ctx context.Context, msgKey string) (*postern.Report, error) {
	for ; ctx.Err() == nil; time.Sleep(200 * time.Millisecond) {
		inquiry, err := r.Inquire(ctx, msgKey)
		if err != nil {
			return nil, err
		}
		for _, report := range inquiry.Data.Report {
			if *report.Last {
				return &report, nil
			}
		}
	}
	return nil, ctx.Err()
}

// FindMessages lists the messages with a ref, newest first.
func (r *Reports) FindMessages(ctx context.Context, ref string, since time.Time) iter.Seq2[postern.ListedMessage, error] {
	return func(yield func(postern.ListedMessage, error) bool) {
		search := postern.MessageSearchRequest{Since: since, Ref: &ref}
		for {
			page, err := r.client.SearchMessagesWithResponse(ctx, search)
			if err == nil && page.JSON200 == nil {
				err = failure(page.Body)
			}
			if err != nil {
				yield(postern.ListedMessage{}, err)
				return
			}
			for _, message := range page.JSON200.Data.Message {
				if !yield(message, nil) {
					return
				}
			}
			if search.Cursor = page.JSON200.Data.Cursor; search.Cursor == nil {
				return
			}
		}
	}
}

// Collect stores one batch of reports. The gateway returns it again until it is acknowledged, so none is lost.
func (r *Reports) Collect(ctx context.Context, store func([]postern.Report) error) (int, error) {
	polled, err := r.client.PollReportsWithResponse(ctx)
	if err != nil {
		return 0, err
	}
	if polled.JSON200 == nil {
		return 0, failure(polled.Body)
	}
	batch := polled.JSON200.Data
	if len(batch.Report) == 0 {
		return 0, nil
	}
	if err = store(batch.Report); err != nil {
		return 0, err
	}
	acknowledged, err := r.client.AcknowledgeReportsWithResponse(ctx, batch.ReportId)
	if err != nil {
		return 0, err
	}
	if acknowledged.JSON200 == nil {
		return 0, failure(acknowledged.Body)
	}
	return len(batch.Report), nil
}

// Follow waits for reports, stores them and advances the consumer.
func (r *Reports) Follow(ctx context.Context, consumer string, store func([]postern.Report) error) (int, error) {
	params := &postern.StreamReportsParams{Consumer: &consumer, Limit: ptr(500), Wait: ptr(3)}
	read, err := r.client.StreamReportsWithResponse(ctx, params)
	if err != nil {
		return 0, err
	}
	if read.JSON200 == nil {
		return 0, failure(read.Body)
	}
	page := read.JSON200.Data
	if len(page.Report) == 0 {
		return 0, nil
	}
	if err = store(page.Report); err != nil {
		return 0, err
	}
	moved, err := r.client.MoveConsumerWithResponse(ctx, consumer, postern.StreamPosition{Cursor: page.Cursor})
	if err != nil {
		return 0, err
	}
	if moved.JSON200 == nil {
		return 0, failure(moved.Body)
	}
	return len(page.Report), nil
}
