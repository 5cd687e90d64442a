// A client based on gosmpp. Arguments: port system_id password. Reads the commands of client-program.ts and
// reports events as lines of JSON.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/linxGnu/gosmpp"
	"github.com/linxGnu/gosmpp/data"
	"github.com/linxGnu/gosmpp/pdu"
)

// Carries octets of alphabets that the library does not encode.
type octets struct{}

func (octets) Encode(text string) ([]byte, error) { return []byte(text), nil }
func (octets) Decode(data []byte) (string, error) { return string(data), nil }

// Message numbers of submits by sequence number.
var numbers sync.Map

func received(p pdu.PDU) (pdu.PDU, bool) {
	switch is := p.(type) {
	case *pdu.SubmitSMResp:
		if n, known := numbers.LoadAndDelete(is.SequenceNumber); known {
			fmt.Printf("{\"event\":\"answer\",\"n\":%s,\"status\":%d,\"id\":\"%s\"}\n", n, is.CommandStatus, is.MessageID)
		}
	case *pdu.DeliverSM:
		text, _ := is.Message.GetMessageData()
		fmt.Printf("{\"event\":\"receipt\",\"octets\":\"%s\"}\n", hex.EncodeToString(text))
		return is.GetResponse(), false
	case *pdu.EnquireLink:
		return is.GetResponse(), false
	case *pdu.Unbind:
		return is.GetResponse(), true
	}
	return nil, false
}

func connect() *gosmpp.Session {
	auth := gosmpp.Auth{SMSC: "127.0.0.1:" + os.Args[1], SystemID: os.Args[2], Password: os.Args[3]}
	ignore := func(error) {}
	settings := gosmpp.Settings{
		EnquireLink: 500 * time.Millisecond, ReadTimeout: 10 * time.Second, OnAllPDU: received,
		OnReceivingError: ignore, OnRebindingError: ignore,
		OnSubmitError: func(_ pdu.PDU, err error) { fmt.Fprintln(os.Stderr, err) },
		OnRebind:      func() { fmt.Println("{\"event\":\"bound\"}") },
	}
	session, err := gosmpp.NewSession(gosmpp.TRXConnector(gosmpp.NonTLSDialer, auth), settings, 300*time.Millisecond)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("{\"event\":\"bound\"}")
	return session
}

func unhex(word string) []byte {
	decoded, _ := hex.DecodeString(word)
	return decoded
}

func submit(session *gosmpp.Session, n string, to string, esmClass byte, message pdu.ShortMessage) {
	p := pdu.NewSubmitSM().(*pdu.SubmitSM)
	source, destination := pdu.NewAddress(), pdu.NewAddress()
	source.SetTon(0)
	source.SetNpi(1)
	_ = source.SetAddress("0234567890")
	destination.SetTon(1)
	destination.SetNpi(1)
	_ = destination.SetAddress(to)
	p.SourceAddr, p.DestAddr, p.RegisteredDelivery, p.EsmClass, p.Message = source, destination, 1, esmClass, message
	numbers.Store(p.SequenceNumber, n)
	if err := session.Transceiver().Submit(p); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

func main() {
	session := connect()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		switch words[0] {
		case "submit":
			coding, _ := strconv.Atoi(words[3])
			message, _ := pdu.NewBinaryShortMessageWithEncoding(unhex(words[4]), data.NewCustomEncoding(byte(coding), octets{}))
			if known := data.FromDataCoding(byte(coding)); known != nil {
				message, _ = pdu.NewShortMessageWithEncoding(string(unhex(words[5])), known)
			}
			submit(session, words[1], words[2], 0, message)
		case "long":
			parts, _ := pdu.NewLongMessageWithEncoding(string(unhex(words[3])), data.GSM7BIT)
			for _, part := range parts {
				submit(session, words[1], words[2], 0x40, *part)
			}
		case "unbind":
			_ = session.Close()
			fmt.Println("{\"event\":\"unbound\"}")
			return
		}
	}
}
