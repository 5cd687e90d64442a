/**
 * A client based on node-smpp. Usage: client.ts port system_id password. Reads the commands of
 * client-program.ts and reports events as lines of JSON.
 */
import { createInterface } from 'node:readline'
import smpp from 'smpp'
import type { NodeSession } from 'smpp'

const [port, systemId, password] = process.argv.slice(2)
const report = (event: object): void => void process.stdout.write(`${JSON.stringify(event)}\n`)
let session: NodeSession
let leaving = false

function connect(): void {
  session = smpp.connect({ url: `smpp://127.0.0.1:${port}` })
  const current = session
  current.on('pdu', (pdu) => {
    if (pdu.command === 'deliver_sm')
      report({ event: 'receipt', octets: Buffer.from(String(pdu.short_message.message)).toString('hex') })
    if (['deliver_sm', 'enquire_link', 'unbind'].includes(pdu.command)) current.send(pdu.response())
  })
  current.on('error', () => undefined)
  current.on('close', () => {
    if (!leaving) setTimeout(connect, 200)
  })
  current.bind_transceiver({ system_id: systemId, password, interface_version: 0x34 }, (answer) => {
    if (answer.command_status === 0) report({ event: 'bound' })
    else current.close()
  })
}

/** Values of data_coding whose texts node-smpp encodes: GSM, Latin-1 and UCS-2. */
const encodedByLibrary = new Set(['0', '3', '8'])

function submit(n: string, to: string, fields: object): void {
  const address = { source_addr: '0234567890', destination_addr: to, dest_addr_ton: 1, dest_addr_npi: 1 }
  session.submit_sm({ ...address, registered_delivery: 1, ...fields }, (answer) =>
    report({ event: 'answer', n: Number(n), status: answer.command_status, id: answer.message_id ?? '' }),
  )
}

createInterface(process.stdin)
  .on('line', (line) => {
    // The word after the number is the data_coding of `submit` and the text of `long`.
    const [command, n = '', to = '', dataCoding = '', ...rest] = line.split(' ')
    if (command === 'submit') {
      const [octets, text] = rest.map((hex) => Buffer.from(hex, 'hex')) as [Buffer, Buffer]
      const message = encodedByLibrary.has(dataCoding) ? text.toString() : octets
      submit(n, to, { data_coding: Number(dataCoding), short_message: message })
    }
    if (command === 'long')
      for (const part of rest) {
        const octets = Buffer.from(part, 'hex')
        const udh = octets.subarray(0, octets[0]! + 1)
        submit(n, to, { esm_class: 0x40, short_message: { udh, message: octets.subarray(udh.length) } })
      }
    if (command === 'enquire') session.enquire_link(() => undefined)
    if (command === 'unbind') {
      leaving = true
      session.unbind({}, () => {
        report({ event: 'unbound' })
        session.close()
      })
    }
  })
  .on('close', () => process.exit(0))
connect()
