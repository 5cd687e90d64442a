package main

import (
	"bytes"
	"context"
	"io"
	"mime/multipart"
	"os"
	"path/filepath"

	"example.com/generated/postern"
)

const (
	sender    = "0212345678"
	senderKey = "0123456789abcdef0123456789abcdef01234567"
	brandKey  = "BR.4tKq9sXz2m"
)

// Messages sends messages on each channel. Every exported method returns the msgKeys of what it sent.
type Messages struct {
	client *postern.ClientWithResponses
}

// AnnounceParcel sends an SMS. A second call for the same parcel sends nothing and returns the first response.
func (m *Messages) AnnounceParcel(ctx context.Context, to, parcel string) (string, error) {
	message := postern.SmsMessage{From: sender, To: to, Text: "Your parcel arrives today.", Ref: &parcel}
	params := &postern.SendSmsParams{IdempotencyKey: ptr("sms-" + parcel)}
	sent, err := m.client.SendSmsWithResponse(ctx, params, message)
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// SendPicture uploads an image and sends it by MMS.
func (m *Messages) SendPicture(ctx context.Context, to, image, ref string) (string, error) {
	fileKey, err := m.upload(ctx, image)
	if err != nil {
		return "", err
	}
	sent, err := m.client.SendMmsWithResponse(ctx, nil, postern.MmsMessage{
		From:    sender,
		To:      to,
		Title:   ptr("Autumn sale"),
		Text:    "Show this picture at the counter.",
		FileKey: &[]string{fileKey},
		Ref:     &ref,
	})
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

func (m *Messages) upload(ctx context.Context, image string) (string, error) {
	content, err := os.Open(image)
	if err != nil {
		return "", err
	}
	defer content.Close()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", filepath.Base(image))
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(part, content); err != nil {
		return "", err
	}
	if err = writer.Close(); err != nil {
		return "", err
	}
	uploaded, err := m.client.UploadImageWithBodyWithResponse(ctx, "MMS", writer.FormDataContentType(), &form)
	if err != nil {
		return "", err
	}
	if uploaded.JSON200 == nil {
		return "", failure(uploaded.Body)
	}
	return uploaded.JSON200.Data.FileKey, nil
}

// SendCodeAbroad sends an international SMS.
func (m *Messages) SendCodeAbroad(ctx context.Context, to, code, ref string) (string, error) {
	message := postern.InternationalMessage{From: sender, To: to, Text: "Your code is " + code + ".", Ref: &ref}
	sent, err := m.client.SendInternationalWithResponse(ctx, nil, message)
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// RemindOfAppointment sends RCS, and an SMS if the phone does not support it.
func (m *Messages) RemindOfAppointment(ctx context.Context, to, ref string) (string, error) {
	sent, err := m.client.SendRcsWithResponse(ctx, nil, postern.RcsMessage{
		From:     sender,
		To:       to,
		BrandKey: brandKey,
		FormatId: "SL000000",
		Content: &postern.RcsContent{Standalone: &postern.RcsStandalone{
			Title: ptr("Your appointment"),
			Text:  ptr("We are looking forward to seeing you tomorrow at 10:00."),
			Button: &[]postern.RcsButton{
				{Type: "URL", Name: "Change it", Url: ptr("https://example.com/appointments/17")},
			},
		}},
		Fallback: &postern.RcsFallback{Type: "SMS", Text: "Your appointment is tomorrow at 10:00."},
		Ref:      &ref,
	})
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// ConfirmShipment sends an alimtalk with the text of an approved template.
func (m *Messages) ConfirmShipment(ctx context.Context, to, ref string) (string, error) {
	text := "Your order 20261115-1 has been shipped."
	sent, err := m.client.SendAlimtalkWithResponse(ctx, nil, postern.AlimtalkMessage{
		SenderKey:    senderKey,
		MsgType:      "AT",
		To:           to,
		TemplateCode: "order_shipped_1",
		Text:         text,
		Button: &[]postern.KakaoButton{
			{Type: "WL", Name: "Track it", UrlMobile: ptr("https://example.com/t/20261115-1")},
		},
		Fallback: &postern.KakaoFallback{Type: "SMS", From: sender, Text: text},
		Ref:      &ref,
	})
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// PresentCollection sends a friendtalk to a friend of the KakaoTalk channel.
func (m *Messages) PresentCollection(ctx context.Context, to, ref string) (string, error) {
	sent, err := m.client.SendFriendtalkWithResponse(ctx, nil, postern.FriendtalkMessage{
		SenderKey: senderKey,
		MsgType:   "FT",
		To:        to,
		Text:      "The autumn collection is here.",
		Ref:       &ref,
	})
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// AdvertiseCollection sends a brand message.
func (m *Messages) AdvertiseCollection(ctx context.Context, to, ref string) (string, error) {
	sent, err := m.client.SendBrandmessageWithResponse(ctx, nil, postern.BrandmessageMessage{
		SenderKey:              senderKey,
		SendType:               "free",
		MsgType:                "FT",
		To:                     to,
		Text:                   ptr("The autumn collection is here."),
		UnsubscribePhoneNumber: ptr("080-1234-5678"),
		Ref:                    &ref,
	})
	if err != nil {
		return "", err
	}
	return msgKey(sent.JSON200, sent.Body)
}

// AnnounceOrders sends an alimtalk to each recipient, and an SMS to those it does not reach. It returns the
// msgKeys by recipient.
func (m *Messages) AnnounceOrders(ctx context.Context, names map[string]string, ref string) (map[string]string, error) {
	request := postern.OmniRequest{
		MessageFlow: &[]postern.FlowStep{
			{Alimtalk: &postern.AlimtalkStep{
				SenderKey:    senderKey,
				MsgType:      "AT",
				TemplateCode: "order_shipped_2",
				Text:         "Dear #{name}, your order has been shipped.",
			}},
			{Sms: &postern.SmsStep{From: sender, Text: "#{name}, your order has been shipped."}},
		},
		Ref: &ref,
	}
	for to, name := range names {
		words := postern.ReplaceWords{"name": name}
		request.Destinations = append(request.Destinations, postern.OmniDestination{To: to, ReplaceWords: &words})
	}
	sent, err := m.client.SendOmniWithResponse(ctx, nil, request)
	if err != nil {
		return nil, err
	}
	if sent.JSON200 == nil {
		return nil, failure(sent.Body)
	}
	keys := make(map[string]string)
	for _, each := range sent.JSON200.Data.Destinations {
		// Each destination is accepted or refused separately; the msgKey of a refused one is empty.
		if each.Code == "A000" {
			keys[each.To] = each.MsgKey
		}
	}
	return keys, nil
}

func msgKey(response *postern.SendResponse, body []byte) (string, error) {
	if response == nil {
		return "", failure(body)
	}
	return response.MsgKey, nil
}

// ptr returns a pointer to the value of an optional field.
func ptr[T any](value T) *T {
	return &value
}
