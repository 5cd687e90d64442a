/**
 * Measures an HTTP carrier: starts it as a separate process, submits over several connections, acknowledges
 * every receipt, and prints messages per second of wall time and of the carrier's CPU time. Usage: node
 * simulator/bench/http-flood.ts mm7|maap|rbm [messages] [connections]. The CPU figure needs Linux.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'

const [carrier = 'mm7', requested = '20000', connections = '50'] = process.argv.slice(2)
const messages = Number(requested)
const namespace = 'http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/REL-5-MM7-1-2'
const soap = 'http://schemas.xmlsoap.org/soap/envelope/'

function envelope(transactionId: string | number, operation: string, content: string): string {
  const id = `<m:TransactionID xmlns:m="${namespace}" e:mustUnderstand="1">${transactionId}</m:TransactionID>`
  const body = `<m:${operation} xmlns:m="${namespace}">${content}</m:${operation}>`
  return `<e:Envelope xmlns:e="${soap}"><e:Header>${id}</e:Header><e:Body>${body}</e:Body></e:Envelope>`
}

function mm7Body(number: number): string {
  const sender =
    '<SenderIdentification><VASPID>a</VASPID><VASID>b</VASID><CPID>c</CPID><SenderAddress>0215881588</SenderAddress><CallBack>0215881588</CallBack></SenderIdentification>'
  const recipient = '<Recipients><To><Number>01012345678</Number></To></Recipients>'
  const xml = envelope(number, 'SubmitReq', `${sender}${recipient}<DeliveryReport>TRUE</DeliveryReport>`)
  const text = 'Your order has been shipped and will arrive tomorrow. '.repeat(20)
  return [
    ...['--b', 'Content-Type: text/xml; charset="euc-kr"', '', xml],
    ...['--b', 'Content-Type: text/plain; charset="euc-kr"', '', text, '--b--', ''],
  ].join('\r\n')
}

function maapBody(number: number): string {
  return JSON.stringify({
    clientMsgId: `bench-${number}`,
    chatbotId: '15881588',
    messagebaseId: 'SL000000',
    userContact: '01012345678',
    agencyId: 'agency',
    agencyKey: 'AK.key',
    brandKey: 'BK.key',
    header: '0',
    body: { title: 'Your order', description: 'Your order has been shipped and will arrive tomorrow.' },
  })
}

function rbmBody(): string {
  const text = 'Your order has been shipped and will arrive tomorrow.'
  return JSON.stringify({ contentMessage: { text }, messageTrafficType: 'TRANSACTION', ttl: '3600s' })
}

const rbmPath = '/v1/phones/+821012345678/agentMessages?agentId=agent'

const kinds = {
  mm7: {
    options: ['--dialect', 'kt', '--report-url'],
    path: () => '/',
    type: 'multipart/related; boundary=b',
    body: mm7Body,
    acknowledgement: envelope('a', 'DeliveryReportRsp', '<Status><StatusCode>1000</StatusCode></Status>'),
  },
  maap: {
    options: ['--token-ttl-ms', '0', '--status-url'],
    path: () => '/ag/1.2/message',
    type: 'application/json',
    body: maapBody,
    acknowledgement: '',
  },
  rbm: {
    options: ['--token-ttl-ms', '0', '--webhook-url'],
    path: () => `${rbmPath}&messageId=${randomUUID()}`,
    type: 'application/json',
    body: rbmBody,
    acknowledgement: '',
  },
}
const kind = kinds[carrier as keyof typeof kinds]

let receipts = 0
let allReceived: () => void
const everyReceipt = new Promise<void>((resolve) => (allReceived = resolve))
const receiver = createServer((incoming, response) => {
  incoming.resume()
  response.end(kind.acknowledgement)
  if (++receipts === messages) allReceived()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const receiptUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`

const program = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const args = [program, carrier, '--port', '0', '--control-port', '0', ...kind.options, receiptUrl]
const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
const [line] = (await once(child.stdout, 'data')) as [Buffer]
const { port } = JSON.parse(line.toString()) as { port: number }
const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) })

/** Returns the user and system time of the carrier, which Linux counts in jiffies, 100 per second. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function submit(number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': kind.type }
    const outgoing = request({ host: '127.0.0.1', port, path: kind.path(), method: 'POST', headers, agent })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      response.resume()
      response.once('end', resolve)
    })
    outgoing.end(kind.body(number))
  })
}

const [cpu, start] = [cpuSeconds(), performance.now()]
let next = 0
await Promise.all(
  Array.from({ length: Number(connections) }, async () => {
    while (next < messages) await submit(next++)
  }),
)
await everyReceipt
const seconds = (performance.now() - start) / 1000
const perCpuSecond = Math.round(messages / (cpuSeconds() - cpu))
const perSecond = Math.round(messages / seconds)
process.stdout.write(
  `${carrier}: ${messages} messages, ${perSecond} per second, ${perCpuSecond} per CPU second of the carrier\n`,
)
child.kill('SIGTERM')
await once(child, 'exit')
agent.destroy()
receiver.close()
