module peer

go 1.20

require github.com/fiorix/go-smpp v0.0.0-20210403173735-2894b96e70ba

require golang.org/x/text v0.3.6 // indirect
