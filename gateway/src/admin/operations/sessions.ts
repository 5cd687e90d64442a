/** Who is signed in: oneself, and sessions in browsers, which can be ended. */
import { Type } from 'typebox'
import { notFound } from '../../acts/errors.ts'
import { hasRight, operatorRoles, rights, type Right } from '../../operators/rights.ts'
import { endSession, listSessions, type FoundSession } from '../../operators/session.ts'
import type { Config } from '../../platform/config.ts'
import { flag, internal, list, nullable, oneOf, record, text, time } from '../fields.ts'
import { changes, defineOperation, reads } from '../operation.ts'
import { OperationError } from '../../acts/errors.ts'
import { formatCookie } from '../sign-in/cookies.ts'

const Session = record(
  {
    id: text('Id of the session'),
    operator: text('Name of the operator'),
    method: oneOf(['password', 'oidc'], 'How the operator has signed in'),
    address: text('Where from'),
    agent: text('The browser, as it calls itself'),
    createdAt: time('When it began'),
    usedAt: time('When it was last used, give or take half a minute'),
    endsAt: time('When it ends at the latest'),
    idleEndsAt: time('When it ends unless it is used'),
    current: flag('Whether it is the one of this request'),
  },
  'A session in a browser',
  { title: 'Session' },
)

const Me = record(
  {
    name: text('Name of the operator'),
    role: oneOf(operatorRoles, 'Role of the operator'),
    account: nullable(
      text('Client id of the account of a client, which reaches nothing else; null for others'),
    ),
    signedInWith: oneOf(['key', 'password', 'oidc'], 'How the request was authenticated'),
    keyId: nullable(text('Id of the key; null in a session')),
    session: nullable(Session),
    rights: list(oneOf(Object.keys(rights) as Right[], 'A right'), 'What the role may do; a client has none'),
    sandboxPhones: internal(flag('Whether the operations of the sandbox phones are enabled')),
  },
  'Who is signed in',
  { title: 'SignedInOperator' },
)

const maxSessions = 200
const idleSeconds = ({ adminSessionIdleMinutes }: Config): number => adminSessionIdleMinutes * 60

function describe(session: FoundSession, config: Config, current: FoundSession | null) {
  const { name: operator, usedAt, endsAt } = session
  const idleEnd = usedAt.getTime() + idleSeconds(config) * 1000
  return {
    ...{ ...session, operator, current: session.id === current?.id },
    idleEndsAt: new Date(Math.min(idleEnd, endsAt.getTime())),
  }
}

export const sessionOperations = [
  defineOperation({
    id: 'showMe',
    method: 'get',
    path: '/admin/v1/me',
    tag: 'Sign-in',
    summary: 'Show who is signed in and how, and what the role may do',
    access: reads(),
    client: 'self',
    action: 'me',
    data: Me,
    run: (_input, { signed: { name, role, account, signature, session }, services: { config } }) =>
      Promise.resolve({
        ...{ name, role, account: account?.clientId ?? null },
        ...{ keyId: signature?.keyId ?? null, signedInWith: session?.method ?? 'key' },
        session: session === null ? null : describe(session, config, session),
        rights: (Object.keys(rights) as Right[]).filter((right) => hasRight(role, right)),
        sandboxPhones: config.sandboxPhones === 'yes',
      }),
  }),
  defineOperation({
    id: 'endSession',
    method: 'delete',
    path: '/admin/v1/session',
    tag: 'Sign-in',
    summary: 'Sign out: end the session of this browser',
    access: changes('read'),
    client: 'self',
    signsOut: true,
    action: 'session end',
    data: record({ id: text('Id of the session') }, 'The session that has ended'),
    run: async (_input, { signed: { name, session }, audit, cookies, setCookie }) => {
      if (session === null)
        throw new OperationError('refused', 'a key has no session; send the cookie of the session instead')
      const { id } = session
      await audit.change(async (transaction) => {
        await endSession(transaction, id, name)
        return [undefined, { target: name, details: { session: id } }]
      })
      setCookie(formatCookie(cookies.session, '', { ...cookies, maxAgeSeconds: 0 }))
      return { id }
    },
  }),
  defineOperation({
    id: 'listSessions',
    method: 'get',
    path: '/admin/v1/sessions',
    tag: 'Sign-in',
    summary: 'List sessions, the newest first: own ones, and for an admin all',
    access: reads(),
    client: 'self',
    action: 'session list',
    query: {
      operator: Type.Optional(text('Of this operator alone', { minLength: 1, maxLength: 64 })),
    },
    data: record({ sessions: list(Session, 'Sessions, 200 at most') }, 'Sessions'),
    run: async ({ query }, { database, signed: { name, role, session }, services: { config } }) => {
      const whose = hasRight(role, 'operators') ? (query.operator ?? null) : name
      const found = await listSessions(database, {
        ...{ name: whose, idleSeconds: idleSeconds(config), limit: maxSessions },
      })
      return { sessions: found.map((one) => describe(one, config, session)) }
    },
  }),
  defineOperation({
    id: 'revokeSession',
    method: 'delete',
    path: '/admin/v1/sessions/{sessionId}',
    tag: 'Sign-in',
    summary: 'End a session: an own one, and for an admin any',
    access: changes('read'),
    client: 'self',
    signsOut: true,
    action: 'session end',
    params: { sessionId: text('Id of the session', { minLength: 1, maxLength: 20 }) },
    data: record(
      { id: text('Id of the session'), operator: text('Whose it was') },
      'The session that has ended',
    ),
    run: ({ params: { sessionId } }, { signed: { name, role }, audit }) =>
      audit.change(async (transaction) => {
        const operator = await endSession(transaction, sessionId, hasRight(role, 'operators') ? null : name)
        if (operator === null) throw notFound('session', sessionId)
        return [
          { id: sessionId, operator },
          { target: operator, details: { session: sessionId } },
        ]
      }),
  }),
]
