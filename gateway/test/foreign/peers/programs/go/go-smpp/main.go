// A client based on go-smpp. Arguments: port system_id password. Reads the commands of client-program.ts and
// reports events as lines of JSON.
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/fiorix/go-smpp/smpp"
	"github.com/fiorix/go-smpp/smpp/pdu"
	"github.com/fiorix/go-smpp/smpp/pdu/pdufield"
	"github.com/fiorix/go-smpp/smpp/pdu/pdutext"
)

// Carries octets of alphabets that the library does not encode.
type octets struct {
	coding pdutext.DataCoding
	data   []byte
}

func (o octets) Type() pdutext.DataCoding { return o.coding }
func (o octets) Encode() []byte           { return o.data }
func (o octets) Decode() []byte           { return o.data }

func encoded(coding int, given []byte, text string) pdutext.Codec {
	switch coding {
	case 0:
		return pdutext.GSM7(text)
	case 3:
		return pdutext.Latin1(text)
	case 8:
		return pdutext.UCS2(text)
	}
	return octets{pdutext.DataCoding(coding), given}
}

func message(to string, text pdutext.Codec) *smpp.ShortMessage {
	return &smpp.ShortMessage{
		Src: "0234567890", Dst: to, DestAddrTON: 1, DestAddrNPI: 1, Text: text, Register: pdufield.FinalDeliveryReceipt,
	}
}

func report(n string, err error, id string) {
	status := uint32(0)
	if refused, ok := err.(pdu.Status); ok {
		status = uint32(refused)
	} else if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	fmt.Printf("{\"event\":\"answer\",\"n\":%s,\"status\":%d,\"id\":\"%s\"}\n", n, status, id)
}

func unhex(word string) []byte {
	data, _ := hex.DecodeString(word)
	return data
}

func main() {
	link := &smpp.Transceiver{
		Addr: "127.0.0.1:" + os.Args[1], User: os.Args[2], Passwd: os.Args[3],
		// The shortest possible interval.
		EnquireLink: 10 * time.Second,
		RespTimeout: 10 * time.Second,
		Handler: func(p pdu.Body) {
			if p.Header().ID != pdu.DeliverSMID {
				return
			}
			fmt.Printf("{\"event\":\"receipt\",\"octets\":\"%s\"}\n", hex.EncodeToString(p.Fields()[pdufield.ShortMessage].Bytes()))
		},
	}
	go func() {
		for status := range link.Bind() {
			if status.Status() == smpp.Connected {
				fmt.Println("{\"event\":\"bound\"}")
			}
		}
	}()
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		switch words[0] {
		case "submit":
			coding, _ := strconv.Atoi(words[3])
			go func() {
				sent, err := link.Submit(message(words[2], encoded(coding, unhex(words[4]), string(unhex(words[5])))))
				id := ""
				if err == nil {
					id = sent.RespID()
				}
				report(words[1], err, id)
			}()
		case "long":
			go func() {
				parts, err := link.SubmitLongMsg(message(words[2], pdutext.GSM7(string(unhex(words[3])))))
				if err != nil {
					report(words[1], err, "")
				}
				for i := range parts {
					report(words[1], nil, parts[i].RespID())
				}
			}()
		case "unbind":
			link.Close()
			fmt.Println("{\"event\":\"unbound\"}")
			return
		}
	}
}
