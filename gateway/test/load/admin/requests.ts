/**
 * The measured requests: searches of a client, and of the admin API every operation that reads without an id in
 * its path, except streams and `compareLedger`, some that show one object, searches of every kind and a preview.
 */
import { adminOperations } from '../../../src/operations/operations.ts'
import { createKey, rareCode, createRecipient, createRef, type MessageVolume } from './fill.ts'

export interface AdminRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

/** Required parameters of operations. */
const needed: Readonly<Record<string, string>> = {
  listCodes: '?language=en',
  listSandboxMessages: '?to=01020000001',
  listSandboxReplies: '?to=01020000001',
}

/** Returns bodies of searches of one client since the first filled day. The filled messages belong to other accounts. */
export function clientSearches(filled: readonly string[]): [string, (nth: number) => object][] {
  const day = filled[0]!
  const since = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`
  return [
    ['client: newest messages', () => ({ since })],
    ['client: closed messages', () => ({ since, state: 'closed' })],
    ['client: by ref, of another account', (i) => ({ since, ref: createRef(day, i + 1) })],
    ['client: by recipient, of another account', (i) => ({ since, to: createRecipient(day, i + 1) })],
  ]
}

/** Returns named functions that create the nth request; `filled` are the days with messages, oldest first. */
export function listAdminRequests(
  size: MessageVolume,
  filled: readonly string[],
): [string, (nth: number) => AdminRequest][] {
  const perDay = Math.floor(size.messages / size.days)
  const oldest = filled[0]!
  const nth = (i: number): number => 1 + ((i * 7_919) % perDay)
  const account = (n: number): string => `acc-${String(1 + (n % size.accounts)).padStart(6, '0')}`
  const lists = adminOperations
    .filter(({ method, path, stream }) => method === 'get' && stream === undefined && !path.includes('{'))
    // No screen uses it: it compares every account, for commands.
    .filter(({ id }) => id !== 'compareLedger')
    .map(({ id, path }): [string, () => AdminRequest] => [
      id,
      () => ({ method: 'GET', path: path + (needed[id] ?? '') }),
    ])
  const get =
    (path: (i: number) => string) =>
    (i: number): AdminRequest => ({ method: 'GET', path: path(i) })
  return [
    ...lists,
    ['showMessage', get((i) => `/admin/v1/messages/${createKey(oldest, nth(i))}`)],
    ['showAccount', get((i) => `/admin/v1/accounts/${account(i)}`)],
    ['showAccountState', get((i) => `/admin/v1/accounts/${account(i)}/state`)],
    ['listCredentials', get((i) => `/admin/v1/accounts/${account(i)}/credentials`)],
    ['showUsage', get((i) => `/admin/v1/accounts/${account(i)}/usage`)],
    ['senders of an account', get((i) => `/admin/v1/senders?account=${account(i)}`)],
    ['webhooks of an account', get((i) => `/admin/v1/webhooks?account=${account(i)}`)],
    ['showRoute', get((i) => `/admin/v1/routes/route-${1 + (i % size.routes)}`)],
    ['closed messages of an account', get((i) => `/admin/v1/messages?account=${account(i)}&state=closed`)],
    ['messages of an account', get((i) => `/admin/v1/messages?account=${account(i)}`)],
    ['find by ref, newest day', get((i) => `/admin/v1/messages?ref=${createRef(filled.at(-1)!, nth(i))}`)],
    ['find by ref, oldest day', get((i) => `/admin/v1/messages?ref=${createRef(oldest, nth(i))}`)],
    ['find by a common code', get(() => '/admin/v1/messages?code=10000')],
    ['find by a rare code', get(() => `/admin/v1/messages?code=${rareCode}`)],
    ['no message has the ref', get((i) => `/admin/v1/messages?ref=none-${i}`)],
    ['no message has the code', get(() => '/admin/v1/messages?code=99999')],
    [
      'find by recipient, oldest day',
      (i) => ({
        method: 'POST',
        path: '/admin/v1/messages/search',
        body: { account: account(nth(i)), recipient: createRecipient(oldest, nth(i)), reason: 'measured' },
      }),
    ],
    [
      'previewRouteAct',
      (i) => ({
        method: 'POST',
        path: `/admin/v1/routes/route-${1 + (i % size.routes)}/preview`,
        body: { act: 'drain' },
      }),
    ],
  ]
}
