/** Operations that sign operators in, with a password and a code or with an OpenID provider. */
import { Type } from 'typebox'
import { maxPassword, minPassword } from '../operators/logins.ts'
import { clock } from '../../platform/time/clock.ts'
import { flag, list, nullable, oneOf, record, text, time } from '../fields.ts'
import { defineOpen, defineRedirect, Redirect, type OpenOperation } from './open-operation.ts'
import { OperationError } from '../errors.ts'
import type { SignIn } from './open.ts'
import { signInAction, anonymousContext } from './caller.ts'
import { formatCookie, readCookie } from './cookies.ts'
import { formatPending, localPath, pendingSeconds, readPending } from './pending.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import { callbackPath } from './provider.ts'
import { requireSameOrigin } from './same-origin.ts'

const Started = record(
  {
    step: oneOf(
      ['done', 'enrol', 'new-password'],
      'done: signed in, and the response sets the cookie; enrol: add the secret to an authenticator app, then repeat the request with its code; new-password: repeat the request with newPassword',
    ),
    sessionId: nullable(text('ID of the session')),
    endsAt: nullable(time('Latest end of the session')),
    enrolment: nullable(
      record(
        {
          secret: text('Secret of the second factor in base32'),
          uri: text('The secret as an otpauth URI, for a QR code or a link'),
          newPassword: flag('Whether newPassword is required with the code'),
        },
        'The second factor to enrol; only the last returned one can be confirmed',
      ),
    ),
    recoveryCodes: nullable(
      list(
        text('A recovery code, which replaces a code once'),
        'Recovery codes, returned once after the second factor is confirmed',
      ),
    ),
  },
  'Progress of the sign-in',
  { title: 'SignInProgress' },
)

export const signInOperations: readonly OpenOperation[] = [
  defineOpen({
    id: 'showSignIn',
    method: 'get',
    path: '/admin/v1/sign-in',
    tag: 'Sign-in',
    summary: 'Show the available sign-in methods',
    action: 'sign-in show',
    data: record(
      {
        password: flag('With name, password and code: POST /admin/v1/session'),
        oidc: nullable(
          record(
            { start: text('Path to open in the browser'), issuer: text('The provider') },
            'Sign-in with an OpenID provider',
          ),
        ),
      },
      'Sign-in methods',
    ),
    run: (_input, { signIn: { provider } }) =>
      Promise.resolve({
        password: true,
        oidc:
          provider === null
            ? null
            : { start: '/admin/v1/oidc/start', issuer: provider.provider.settings.issuer.href },
      }),
  }),
  defineOpen({
    id: 'startSession',
    method: 'post',
    path: '/admin/v1/session',
    tag: 'Sign-in',
    summary: 'Sign in with name, password and code',
    description:
      'A wrong name, password or code has the same response. After five failed attempts for a name from one network, further attempts are delayed with `too-many-requests`.',
    action: 'session start',
    body: {
      name: text('Name of the operator', { minLength: 1, maxLength: 64 }),
      password: text('Password', { minLength: 1, maxLength: maxPassword }),
      code: Type.Optional(
        text('Code from the authenticator app, or a recovery code; omitted at the first sign-in', {
          minLength: 1,
          maxLength: 40,
        }),
      ),
      newPassword: Type.Optional(
        text('New password, which ends other sessions; required if another operator set the current one', {
          minLength: minPassword,
          maxLength: maxPassword,
        }),
      ),
    },
    data: Started,
    run: async ({ body }, { signIn, caller, headers, services: { config }, setCookie }) => {
      // Only browsers send this header.
      if (headers['sec-fetch-site'] !== undefined)
        try {
          requireSameOrigin(headers, config.adminUrl)
        } catch (error) {
          await signIn.refused.record(signInAction, anonymousContext(caller), 'unknown', {
            why: 'cross-site',
          })
          throw error
        }
      const outcome = await signIn.password.run(body, caller)
      const nothing = { sessionId: null, endsAt: null, enrolment: null, recoveryCodes: null }
      if (outcome.step === 'enrol')
        return { ...nothing, step: 'enrol' as const, enrolment: outcome.enrolment }
      if (outcome.step === 'new-password') return { ...nothing, step: 'new-password' as const }
      const { session, recoveryCodes } = outcome
      setCookie(sessionCookie(signIn, session.token))
      return {
        ...nothing,
        step: 'done' as const,
        sessionId: session.id,
        endsAt: new Date(clock.now() + config.adminSessionHours * 3_600_000),
        recoveryCodes: recoveryCodes === null ? null : [...recoveryCodes],
      }
    },
  }),
  defineRedirect({
    id: 'startOidc',
    method: 'get',
    path: '/admin/v1/oidc/start',
    tag: 'Sign-in',
    summary: 'Start the sign-in with the OpenID provider',
    action: 'session start',
    query: { return: Type.Optional(text('Path of this server to open afterwards', { maxLength: 500 })) },
    run: async ({ query }, { signIn, caller, setCookie }) => {
      const { provider } = requireProvider(signIn)
      const { url, pending } = await provider.begin(localPath(query.return), caller.network)
      const { cookies } = signIn
      setCookie(
        formatCookie(cookies.provider, formatPending(pending), { ...cookies, maxAgeSeconds: pendingSeconds }),
      )
      return new Redirect(url.href)
    },
  }),
  defineRedirect({
    id: 'finishOidc',
    method: 'get',
    path: callbackPath,
    tag: 'Sign-in',
    summary: 'Complete the sign-in with the OpenID provider',
    action: 'session start',
    looseQuery: true,
    run: async (_input, { signIn, caller, headers, search, setCookie }) => {
      const provider = requireProvider(signIn)
      const pending = readPending(readCookie(headers.cookie, signIn.cookies.provider), clock.now())
      if (pending === null) throw new OperationError('invalid-request', 'sign-in expired; sign in again')
      const session = await provider.end(search, pending, caller)
      setCookie(formatCookie(signIn.cookies.provider, '', { ...signIn.cookies, maxAgeSeconds: 0 }))
      setCookie(sessionCookie(signIn, session.token))
      return new Redirect(pending.path)
    },
  }),
]

function sessionCookie({ cookies }: SignIn, token: string): string {
  return formatCookie(cookies.session, token, { secure: cookies.secure })
}

function requireProvider({ provider }: SignIn): ProviderSignIn {
  if (provider !== null) return provider
  throw new OperationError(
    'not-found',
    'this gateway has no sign-in provider; sign in with a password, or set POSTERN_ADMIN_OIDC_ISSUER',
  )
}
