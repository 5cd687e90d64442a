/** What signs operators in: with a password and a code, or with an OpenID provider. Needs no key. */
import { Type } from 'typebox'
import { maxPassword, minPassword } from '../../acts/operator-logins.ts'
import { clock } from '../../platform/clock.ts'
import { flag, list, nullable, oneOf, record, text, time } from '../fields.ts'
import { defineOpen, defineRedirect, Redirect, type OpenOperation } from '../open-operation.ts'
import { OperationError } from '../../acts/errors.ts'
import type { SignIn } from '../sign-in/open.ts'
import { signInAction, unknownAct } from '../sign-in/caller.ts'
import { formatCookie, readCookie } from '../sign-in/cookies.ts'
import { formatPending, localPath, pendingSeconds, readPending } from '../sign-in/pending.ts'
import type { ProviderSignIn } from '../sign-in/provider-sign-in.ts'
import { callbackPath } from '../sign-in/provider.ts'
import { requireSameOrigin } from '../sign-in/same-origin.ts'

const Started = record(
  {
    step: oneOf(
      ['done', 'enrol', 'new-password'],
      'done: signed in, and the answer sets the cookie. enrol: add the secret to an authenticator app, then repeat the request with its code. new-password: repeat the request with newPassword',
    ),
    sessionId: nullable(text('Id of the session')),
    endsAt: nullable(time('When the session ends at the latest')),
    enrolment: nullable(
      record(
        {
          secret: text('Secret of the second factor in base32'),
          uri: text('The same as an otpauth URI, for a QR code or a link'),
          newPassword: flag('Whether newPassword must be sent with the code'),
        },
        'The second factor to enrol; the last one that was answered can be confirmed',
      ),
    ),
    recoveryCodes: nullable(
      list(text('Replaces a code once'), 'Shown once, when the second factor was confirmed'),
    ),
  },
  'How far the sign-in is',
  { title: 'SignInProgress' },
)

export const signInOperations: readonly OpenOperation[] = [
  defineOpen({
    id: 'showSignIn',
    method: 'get',
    path: '/admin/v1/sign-in',
    tag: 'Sign-in',
    summary: 'Show the ways to sign in with a browser',
    action: 'sign-in show',
    data: record(
      {
        password: flag('With name, password and code: POST /admin/v1/session'),
        oidc: nullable(
          record(
            {
              start: text('Path that a browser opens'),
              issuer: text('The provider'),
            },
            'With an OpenID provider',
          ),
        ),
      },
      'Ways to sign in',
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
    summary: 'Sign in with name, password and code, and begin a session',
    description:
      'Whatever is wrong, the answer is the same. After five wrong tries for a name from one network, further ones wait: `too-many-requests`.',
    action: 'session start',
    body: {
      name: text('Name of the operator', { minLength: 1, maxLength: 64 }),
      password: text('Password', { minLength: 1, maxLength: maxPassword }),
      code: Type.Optional(
        text('Of the authenticator app, or a recovery code; left out at the first sign-in', {
          ...{ minLength: 1, maxLength: 40 },
        }),
      ),
      newPassword: Type.Optional(
        text('Replaces the password, and ends other sessions; needed when somebody else has set it', {
          ...{ minLength: minPassword, maxLength: maxPassword },
        }),
      ),
    },
    data: Started,
    run: async ({ body }, { signIn, caller, headers, services: { config }, setCookie }) => {
      if (headers['sec-fetch-site'] !== undefined)
        try {
          requireSameOrigin(headers, config.adminUrl)
        } catch (error) {
          await signIn.refused.record(signInAction, unknownAct(caller), 'unknown', { why: 'cross-site' })
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
        ...{ ...nothing, step: 'done' as const, sessionId: session.id },
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
    summary: 'Send a browser to the OpenID provider',
    action: 'session start',
    query: {
      return: Type.Optional(
        text('Path of this server that the browser opens afterwards', { maxLength: 500 }),
      ),
    },
    run: async ({ query }, { signIn, caller, setCookie }) => {
      const { provider } = providerOf(signIn)
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
    summary: 'End the sign-in with the OpenID provider, which sends the browser here',
    action: 'session start',
    looseQuery: true,
    run: async (_input, { signIn, caller, headers, search, setCookie }) => {
      const provider = providerOf(signIn)
      const pending = readPending(readCookie(headers.cookie, signIn.cookies.provider), clock.now())
      if (pending === null)
        throw new OperationError(
          'invalid-request',
          'this browser has begun no sign-in, or more than ten minutes ago; sign in again',
        )
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

function providerOf({ provider }: SignIn): ProviderSignIn {
  if (provider !== null) return provider
  throw new OperationError(
    'not-found',
    'this gateway has no sign-in provider; sign in with a password, or set POSTERN_ADMIN_OIDC_ISSUER',
  )
}
