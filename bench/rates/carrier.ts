/**
 * Stands in for carriers that the simulator does not cover: Twilio, which accepts every message, and a service
 * with the gateway's API that reports every message as delivered. Shares no code with the gateway. Prints its
 * port.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const success = { code: 'A000', result: 'Success' }
const batchSize = 1_000

const reports: object[] = []
let accepted = 0
let acknowledged = 0
/** Wakes a reader that waits for results. */
let waiting: (() => void) | undefined

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const call = `${request.method} ${request.url ?? ''}`
    if (call.endsWith('/Messages.json')) json(response, { sid: `SM${accepted++}` })
    else respond(call, body === '' ? {} : (JSON.parse(body) as Body), response)
  })
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(
    `${JSON.stringify({ ready: 'carrier', port: (server.address() as AddressInfo).port })}\n`,
  ),
)
process.once('SIGTERM', () => process.exit(0))

type Body = Readonly<Record<string, unknown>>

function respond(call: string, body: Body, response: ServerResponse): void {
  if (call === 'POST /v1/auth/token')
    return json(response, { ...success, data: { schema: 'Bearer', token: 'token', expired: '' } })
  if (call.startsWith('GET /v1/report/stream')) return readReports(call, response)
  if (call.startsWith('POST /v1/report/stream/')) {
    const upTo = Number(body['cursor'])
    reports.splice(0, upTo - acknowledged)
    acknowledged = upTo
    return json(response, success)
  }
  const msgKey = `20261115000000000PEER${String(accepted++).padStart(11, '0')}`
  reports.push(buildReport(msgKey, body['ref']))
  json(response, { ...success, msgKey, ref: body['ref'] })
  waiting?.()
}

function readReports(call: string, response: ServerResponse): void {
  const send = (): void => {
    waiting = undefined
    const report = reports.slice(0, batchSize)
    json(response, { ...success, data: { cursor: String(acknowledged + report.length), report } })
  }
  if (reports.length > 0 || call.includes('wait=0')) send()
  else waiting = send
}

function buildReport(msgKey: string, ref: unknown): object {
  const times = { sendTime: '2026-11-15T12:00:00+09:00', reportTime: '2026-11-15T12:00:01+09:00' }
  const kind = { serviceType: 'SMS', msgType: 'SM', reportType: '0', reportText: '', carrier: '10001' }
  return { msgKey, ref, ...times, ...kind, reportCode: '10000' }
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
