/** Operations that show who is signed in, and list and end browser sessions. */
import { Type } from 'typebox'
import { notFound } from '../errors.ts'
import { hasRight, operatorRoles, rights, type Right } from '../../identity/operators/rights.ts'
import { endSession, listSessions, type SignedInSession } from '../../identity/operators/session.ts'
import type { Config } from '../../platform/settings/config.ts'
import { flag, internal, list, nullable, oneOf, record, text, time } from '../fields.ts'
import { writeAccess, defineOperation, readAccess } from '../operation.ts'
import { OperationError } from '../errors.ts'
import { formatCookie } from './cookies.ts'

const Session = record(
  {
    id: text('ID of the session'),
    operator: text('Name of the operator'),
    method: oneOf(['password', 'oidc'], 'How the operator signed in'),
    address: text('Address of the browser'),
    agent: text('User agent of the browser'),
    createdAt: time('When it began'),
    usedAt: time('When it was last used, within half a minute'),
    endsAt: time('Latest end of the session'),
    idleEndsAt: time('When it ends unless used'),
    current: flag('Whether it is the session of this request'),
  },
  'A browser session',
  { title: 'Session' },
)

const Me = record(
  {
    name: text('Name of the operator'),
    role: oneOf(operatorRoles, 'Role of the operator'),
    account: nullable(text('Client ID of the only account that a client can access; null for others')),
    signedInWith: oneOf(['key', 'password', 'oidc'], 'How the request was authenticated'),
    keyId: nullable(text('ID of the key; null in a session')),
    session: nullable(Session),
    rights: list(oneOf(Object.keys(rights) as Right[], 'A right'), 'Rights of the role; clients have none'),
    sandboxPhones: internal(flag('Whether the operations of the sandbox phones are enabled')),
  },
  'Who is signed in',
  { title: 'SignedInOperator' },
)

const maxSessions = 200
const idleSeconds = ({ adminSessionIdleMinutes }: Config): number => adminSessionIdleMinutes * 60

function describe(session: SignedInSession, config: Config, current: SignedInSession | null) {
  const { name: operator, usedAt, endsAt } = session
  const idleEnd = usedAt.getTime() + idleSeconds(config) * 1000
  return {
    ...session,
    operator,
    current: session.id === current?.id,
    idleEndsAt: new Date(Math.min(idleEnd, endsAt.getTime())),
  }
}

export const sessionOperations = [
  defineOperation({
    id: 'showMe',
    method: 'get',
    path: '/admin/v1/me',
    tag: 'Sign-in',
    summary: 'Show the signed-in operator, the method and the rights of the role',
    access: readAccess(),
    client: 'self',
    action: 'me',
    data: Me,
    run: (_input, { signed: { name, role, account, signature, session }, services: { config } }) =>
      Promise.resolve({
        name,
        role,
        account: account?.clientId ?? null,
        keyId: signature?.keyId ?? null,
        signedInWith: session?.method ?? 'key',
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
    access: writeAccess('read'),
    client: 'self',
    signsOut: true,
    action: 'session end',
    data: record({ id: text('ID of the session') }, 'The ended session'),
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
    summary: 'List sessions, newest first: your own, or all for an admin',
    access: readAccess(),
    client: 'self',
    action: 'session list',
    query: {
      operator: Type.Optional(
        text('Only sessions of this operator; ignored unless an admin asks', { minLength: 1, maxLength: 64 }),
      ),
    },
    data: record({ sessions: list(Session, 'Sessions, at most 200') }, 'Sessions'),
    run: async ({ query }, { database, signed: { name, role, session }, services: { config } }) => {
      const operatorName = hasRight(role, 'operators') ? (query.operator ?? null) : name
      const found = await listSessions(database, {
        name: operatorName,
        idleSeconds: idleSeconds(config),
        limit: maxSessions,
      })
      return { sessions: found.map((listed) => describe(listed, config, session)) }
    },
  }),
  defineOperation({
    id: 'revokeSession',
    method: 'delete',
    path: '/admin/v1/sessions/{sessionId}',
    tag: 'Sign-in',
    summary: 'End a session: your own, or any for an admin',
    access: writeAccess('read'),
    client: 'self',
    signsOut: true,
    action: 'session end',
    params: { sessionId: text('Id of the session', { minLength: 1, maxLength: 20 }) },
    data: record(
      { id: text('ID of the session'), operator: text('Operator of the session') },
      'The ended session',
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
