/** Requests that must be refused, each with its code and HTTP status. */
import type { AccountClient, Credentials, Envelope, SendBody } from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'

interface Refusal {
  readonly what: string
  readonly code: string
  readonly httpStatus: number
  ask(): Promise<HttpAnswer<Envelope>>
}

const good: SendBody = { from: '0212345678', to: '01000007358', text: 'hello', ref: 'refused' }
const abroad: SendBody = { ...good, to: '+14150007358' }

export interface RefusalClients {
  readonly client: AccountClient
  /** An account that may not poll. */
  readonly silent: AccountClient
  readonly credentials: Credentials
}

export async function checkRefusals(clients: RefusalClients): Promise<string[]> {
  const findings: string[] = []
  for (const refusal of table(clients)) {
    const { httpStatus, body } = await refusal.ask()
    const right = httpStatus === refusal.httpStatus && body.code === refusal.code && body.result !== ''
    if (!right) {
      findings.push(
        `${refusal.what}: ${httpStatus} ${JSON.stringify(body)}, not ${refusal.httpStatus} ${refusal.code}`,
      )
    }
  }
  return findings
}

function table({ client, silent, credentials }: RefusalClients): Refusal[] {
  const send = (channel: string, body: object) => (): Promise<HttpAnswer<Envelope>> =>
    client.send(channel, body as SendBody)
  const sms = (what: string, change: object, code: string): Refusal => ({
    what: `sms with ${what}`,
    code,
    httpStatus: 400,
    ask: send('sms', { ...good, ...change }),
  })
  const international = (what: string, change: object, code: string): Refusal => ({
    what: `international with ${what}`,
    code,
    httpStatus: 400,
    ask: send('international', { ...abroad, ...change }),
  })
  return [
    sms('an empty text', { text: '' }, 'A303'),
    sms('a character that CP949 lacks', { text: 'a😀' }, 'A303'),
    sms('91 octets', { text: 'x'.repeat(91) }, 'A328'),
    sms('46 syllables', { text: '가'.repeat(46) }, 'A328'),
    sms('letters as the recipient', { to: 'somebody' }, 'A306'),
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
      what: 'a body that is not JSON',
      code: 'A010',
      httpStatus: 400,
      ask: () => client.call('POST', '/v1/send/sms', '{"from":'),
    },
    {
      what: 'a token that was never issued',
      code: 'A002',
      httpStatus: 401,
      ask: () => client.call('POST', '/v1/send/sms', JSON.stringify(good), 'Bearer nonsense'),
    },
    {
      what: 'no token',
      code: 'A002',
      httpStatus: 401,
      ask: () => client.call('GET', '/v1/report/polling', undefined, ''),
    },
    {
      what: 'a wrong password',
      code: 'A100',
      httpStatus: 401,
      ask: () => client.requestToken({ ...credentials, password: 'wrong' }),
    },
    {
      what: 'an account that does not exist',
      code: 'A100',
      httpStatus: 401,
      ask: () => client.requestToken({ clientId: 'nobody', password: credentials.password }),
    },
    { what: 'polling without permission', code: 'A802', httpStatus: 403, ask: () => silent.poll() },
    {
      what: 'acknowledging a batch that does not exist',
      code: 'A805',
      httpStatus: 400,
      ask: () => client.acknowledge('20260101000000000AAAAAAAAAAA'),
    },
    {
      what: 'a path that does not exist',
      code: 'A300',
      httpStatus: 404,
      ask: () => client.call('GET', '/v1/nothing'),
    },
  ]
}
