module peer

go 1.22

require (
	github.com/fiorix/go-smpp v0.0.0-20210403173735-2894b96e70ba
	github.com/linxGnu/gosmpp v0.3.1
)

require (
	github.com/orcaman/concurrent-map/v2 v2.0.1 // indirect
	golang.org/x/exp v0.0.0-20240604190554-fc45aab8b7f8 // indirect
	golang.org/x/text v0.20.0 // indirect
)
