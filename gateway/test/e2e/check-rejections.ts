import type { AccountClient, Credentials, Envelope, SendBody } from '../support/processes/account-client.ts'
import type { HttpResponse } from '../support/processes/json-http.ts'

interface Refusal {
  readonly label: string
  readonly code: string
  readonly httpStatus: number
  request(): Promise<HttpResponse<Envelope>>
}

const good: SendBody = { from: '0212345678', to: '01000007358', text: 'hello', ref: 'refused' }
const abroad: SendBody = { ...good, to: '+14150007358' }

export interface RejectionClients {
  readonly client: AccountClient
  /** Account without permission to poll. */
  readonly silent: AccountClient
  readonly credentials: Credentials
}

/** Checks requests that must be rejected, with their code and HTTP status. */
export async function checkRejections(clients: RejectionClients): Promise<string[]> {
  const findings: string[] = []
  for (const refusal of createRefusals(clients)) {
    const { httpStatus, body } = await refusal.request()
    const right = httpStatus === refusal.httpStatus && body.code === refusal.code && body.result !== ''
    if (!right) {
      findings.push(
        `${refusal.label}: ${httpStatus} ${JSON.stringify(body)}, not ${refusal.httpStatus} ${refusal.code}`,
      )
    }
  }
  return findings
}

function createRefusals({ client, silent, credentials }: RejectionClients): Refusal[] {
  const send = (channel: string, body: object) => (): Promise<HttpResponse<Envelope>> =>
    client.send(channel, body as SendBody)
  const sms = (label: string, change: object, code: string): Refusal => ({
    label: `sms with ${label}`,
    code,
    httpStatus: 400,
    request: send('sms', { ...good, ...change }),
  })
  const international = (label: string, change: object, code: string): Refusal => ({
    label: `international with ${label}`,
    code,
    httpStatus: 400,
    request: send('international', { ...abroad, ...change }),
  })
  return [
    sms('an empty text', { text: '' }, 'A303'),
    sms('a character that CP949 lacks', { text: 'a😀' }, 'A303'),
    sms('91 bytes', { text: 'x'.repeat(91) }, 'A328'),
    sms('46 syllables', { text: '가'.repeat(46) }, 'A328'),
    sms('letters as the recipient', { to: 'letters' }, 'A306'),
    sms('no recipient', { to: undefined }, 'A306'),
    sms('an international recipient', { to: abroad.to }, 'A306'),
    sms('a sender that is not a valid number', { from: '0101' }, 'A302'),
    sms('no sender', { from: undefined }, 'A302'),
    sms('a reference of 201 characters', { ref: 'r'.repeat(201) }, 'A305'),
    sms('an unknown field', { colour: 'red' }, 'A300'),
    international('a domestic recipient', { to: good.to }, 'A306'),
    international('an empty text', { text: '' }, 'A303'),
    international('766 characters', { text: 'x'.repeat(766) }, 'A328'),
    international('336 syllables', { text: '가'.repeat(336) }, 'A328'),
    {
      label: 'a body that is not JSON',
      code: 'A010',
      httpStatus: 400,
      request: () => client.call('POST', '/v1/send/sms', '{"from":'),
    },
    {
      label: 'a token that was never issued',
      code: 'A002',
      httpStatus: 401,
      request: () => client.call('POST', '/v1/send/sms', JSON.stringify(good), 'Bearer nonsense'),
    },
    {
      label: 'no token',
      code: 'A002',
      httpStatus: 401,
      request: () => client.call('GET', '/v1/report/polling', undefined, ''),
    },
    {
      label: 'a wrong password',
      code: 'A100',
      httpStatus: 401,
      request: () => client.requestToken({ ...credentials, password: 'wrong' }),
    },
    {
      label: 'an account that does not exist',
      code: 'A100',
      httpStatus: 401,
      request: () => client.requestToken({ clientId: 'unknown-client', password: credentials.password }),
    },
    { label: 'polling without permission', code: 'A802', httpStatus: 403, request: () => silent.poll() },
    {
      label: 'acknowledging a batch that does not exist',
      code: 'A805',
      httpStatus: 400,
      request: () => client.acknowledge('20260101000000000AAAAAAAAAAA'),
    },
    {
      label: 'a path that does not exist',
      code: 'A300',
      httpStatus: 404,
      request: () => client.call('GET', '/v1/nothing'),
    },
  ]
}
