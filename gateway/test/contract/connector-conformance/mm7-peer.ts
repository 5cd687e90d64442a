import type { ServerResponse } from 'node:http'
import type { PeerBehaviour, CarrierPeer, PeerHarness, ReceivedSubmission } from './peer.ts'
import { PeerServer } from './peer-server.ts'

const webhookToken = 'token-of-the-reports'

interface PeerDialect {
  readonly options: Readonly<Record<string, unknown>>
  readonly codes: Readonly<Partial<Record<PeerBehaviour, string>>>
  readonly statuses: Readonly<Record<'delivered' | 'failed' | 'pending', string>>
}

export const peerDialects = {
  '3gpp': {
    options: { dialect: '3gpp' },
    codes: { accept: '1000', throttle: '4006', refuse: '2002', fail: '3000' },
    statuses: { delivered: 'Retrieved', failed: 'Rejected', pending: 'Deferred' },
  },
  kt: {
    // KT publishes no code for intermediate notices, so the test defines one.
    options: { dialect: 'kt', partnerId: 'partner', reportCodes: { 8300: 'pending' } },
    codes: { accept: '1000', throttle: '4202', refuse: '2107', fail: '3000' },
    statuses: { delivered: '1000', failed: '4301', pending: '8300' },
  },
} as const satisfies Readonly<Record<string, PeerDialect>>

/**
 * Opens an MMSC controlled by tests, which reads and writes MM7 with patterns instead of the gateway's codec.
 */
export async function openMm7Peer(
  harness: PeerHarness,
  { options, codes, statuses }: PeerDialect,
): Promise<CarrierPeer> {
  const received: ReceivedSubmission[] = []
  let behaviour: PeerBehaviour = 'accept'
  let password = 'secret08'
  let hostile: ((response: ServerResponse) => void) | undefined

  const server = await PeerServer.open((request, response, octets) => {
    const expected = `Basic ${Buffer.from(`postern:${password}`).toString('base64')}`
    if (request.headers.authorization !== expected) return void response.writeHead(401).end()
    const body = octets.toString('latin1')
    const id = `ID_${received.length}`
    received.push({ id, to: /<Number>([^<]*)<\/Number><\/To>/.exec(body)?.[1] ?? '' })
    if (hostile !== undefined) {
      hostile(response)
      hostile = undefined
      return
    }
    if (behaviour === 'hang-up') return void request.socket.destroy()
    const code = codes[behaviour]
    if (code === undefined) return
    const transaction = /mustUnderstand="1">([^<]*)</.exec(body)?.[1] ?? ''
    response.writeHead(200, { 'content-type': 'text/xml; charset="utf-8"' })
    response.end(submitResponse(transaction, code, code === '1000' ? id : undefined))
  })
  const routeOptions = {
    url: `${server.url}/`,
    vaspId: 'vasp',
    vasId: 'vas',
    user: 'postern',
    password,
    webhookToken,
    window: 5,
    throttleRetryMs: 10,
    connectTimeoutMs: 2_000,
    responseTimeoutMs: 2_000,
    stopTimeoutMs: 2_000,
    ...options,
  }

  return {
    options: routeOptions,
    setBehaviour(next) {
      behaviour = next
    },
    received,
    async sendReceipt({ id, to }, result) {
      const body = Buffer.from(report(id, to, statuses[result]))
      const headers = { 'content-type': 'text/xml; charset="utf-8"' }
      const response = await harness.inbound({ path: `/${webhookToken}`, headers, body })
      return response.status === 200 && /<StatusCode>1000</.test(response.body ?? '')
    },
    refuseConnections: () => server.refuseConnections(),
    freeze: () => server.freeze(),
    resume: () => server.resume(),
    rotateCredentials() {
      password = 'another8'
      return { ...routeOptions, password }
    },
    hostileResponses: {
      'an id of 100,000 characters': respondWith(submitResponse('t', '1000', 'x'.repeat(100_000))),
      'a response without an end': respondWith('<a>'.repeat(200_000)),
      'declared entities': respondWith(
        '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><env:Envelope><env:Body>&c;</env:Body></env:Envelope>',
      ),
      'a code of 100,000 digits': respondWith(submitResponse('t', '1'.repeat(100_000), 'id')),
      'a page of HTML': () => {
        hostile = (response) => response.writeHead(502).end('<html>Bad Gateway')
      },
      'something that is not HTTP': () => {
        hostile = (response) => response.socket?.end('\0\0\0\x10\x80\0\0\x04')
      },
    },
    close: () => server.refuseConnections(),
  }

  function respondWith(body: string): () => void {
    return () => {
      hostile = (response) => response.writeHead(200, { 'content-type': 'text/xml' }).end(body)
    }
  }
}

function envelope(transaction: string, operation: string, content: string): string {
  const namespace = 'http://www.3gpp.org/ftp/Specs/archive/23_series/23.140/schema/REL-5-MM7-1-0'
  return (
    '<?xml version="1.0"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Header>' +
    `<TransactionID xmlns="${namespace}">\n ${transaction}\n</TransactionID></S:Header>` +
    `<S:Body><x:${operation} xmlns:x="${namespace}">${content}</x:${operation}></S:Body></S:Envelope>`
  )
}

function submitResponse(transaction: string, code: string, id: string | undefined): string {
  const status = `<x:Status><x:StatusCode>${code}</x:StatusCode><x:StatusText>text</x:StatusText></x:Status>`
  return envelope(
    transaction,
    'SubmitRsp',
    status + (id === undefined ? '' : `<x:MessageID>${id}</x:MessageID>`),
  )
}

function report(id: string, to: string, status: string): string {
  const address = `<Recipient><Number>${to}</Number></Recipient><Sender><Number>0212345678</Number></Sender>`
  const content = `<MessageID>${id}</MessageID>${address}<MMStatus>${status}</MMStatus>`
  return envelope('of-the-carrier', 'DeliveryReportReq', content)
}
