// A carrier based on the test server of go-smpp. Its receipts have a stray NUL in front of their text. It listens on its own
// port and reports submissions as lines of JSON.
package main

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/fiorix/go-smpp/smpp/pdu"
	"github.com/fiorix/go-smpp/smpp/pdu/pdufield"
	"github.com/fiorix/go-smpp/smpp/smpptest"
)

func main() {
	ids := 0
	server := smpptest.NewUnstartedServer()
	server.User = "postern"
	server.Passwd = "secret08"
	server.Handler = func(c smpptest.Conn, m pdu.Body) {
		switch m.Header().ID {
		case pdu.EnquireLinkID:
			answer := pdu.NewEnquireLinkRespSeq(m.Header().Seq)
			c.Write(answer)
		case pdu.UnbindID:
			answer := pdu.NewUnbindResp()
			answer.Header().Seq = m.Header().Seq
			c.Write(answer)
		case pdu.SubmitSMID:
			f := m.Fields()
			text := f[pdufield.ShortMessage].Bytes()
			if header, ok := f[pdufield.GSMUserData]; ok && header != nil {
				text = append(header.Bytes(), text...)
			}
			fmt.Printf("{\"event\":\"submit\",\"dataCoding\":%d,\"esmClass\":%d,\"octets\":\"%s\"}\n",
				f[pdufield.DataCoding].Bytes()[0], f[pdufield.ESMClass].Bytes()[0], hex.EncodeToString(text))
			answer := pdu.NewSubmitSMResp()
			answer.Header().Seq = m.Header().Seq
			to := f[pdufield.DestinationAddr].String()
			if strings.HasSuffix(to, "2") {
				answer.Header().Status = 0x58
				c.Write(answer)
				return
			}
			ids++
			id := fmt.Sprintf("go-%d", ids)
			answer.Fields().Set(pdufield.MessageID, id)
			c.Write(answer)
			deliver := pdu.NewDeliverSM()
			deliver.Fields().Set(pdufield.SourceAddr, to)
			deliver.Fields().Set(pdufield.DestinationAddr, f[pdufield.SourceAddr].String())
			if strings.HasSuffix(to, "3") {
				deliver.Fields().Set(pdufield.ESMClass, 0)
				deliver.Fields().Set(pdufield.ShortMessage, "hello from go-smpp")
			} else {
				deliver.Fields().Set(pdufield.ESMClass, 4)
				deliver.Fields().Set(pdufield.ShortMessage, "id:"+id+
					" sub:001 dlvrd:001 submit date:2603041405 done date:2603041406 stat:DELIVRD err:000 text:")
			}
			c.Write(deliver)
		}
	}
	server.Start()
	address := server.Addr()
	fmt.Printf("{\"event\":\"listening\",\"port\":%s}\n", address[strings.LastIndex(address, ":")+1:])
	select {}
}
