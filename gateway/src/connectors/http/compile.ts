/**
 * Puts a ready-made profile and the options of a route together and compiles them. `compile` is also the check when a
 * route is stored: every error names the place in the options and what to do, and no value.
 */
import { checkCertificates } from '../certificates.ts'
import { compileAnswer, type AnswerReader } from './answer.ts'
import type { HttpOptions } from './options.ts'
import type { Answer, Auth, ReceiptMap, Send, Verify } from './profile.ts'
import { profileOf } from './profiles.ts'
import { compileReceipts, contentTypes, type ReceiptReader } from './receipt.ts'
import { compileRequest, loginValues, originOf, readAccount, type RequestBuilder } from './request.ts'
import { compileVerifier, coversQuery, type Verifier } from './verify.ts'

interface Description {
  readonly auth: Auth | undefined
  readonly send: Send
  readonly answer: Answer
  readonly receipt: ReceiptMap | undefined
  readonly verify: Verify | undefined
  /** Names that an account may leave out. */
  readonly optional: readonly string[]
}

export interface Compiled {
  readonly request: RequestBuilder
  readonly answer: AnswerReader
  readonly usesOwnId: boolean
  /** Whether a field of the request has the code of the first operator. */
  readonly usesOriginCid: boolean
  /** Absent when the profile has no receipts. */
  readonly callbacks: {
    readonly verify: Verifier
    readonly read: ReceiptReader
    readonly contentType: string
    readonly ack: ReceiptMap['ack']
  } | null
}

export function compile(options: HttpOptions): Compiled {
  try {
    return compileAll(options)
  } catch (error) {
    throw new Error(`http options: ${(error as Error).message}`, { cause: error })
  }
}

function compileAll(options: HttpOptions): Compiled {
  const { auth, send, answer, receipt, verify, optional } = describe(options)
  checkAccount(options)
  checkCertificates(options.tls ?? {}, 'tls.')
  const account = readAccount(options, optional)
  return {
    request: compileRequest(account, auth, send),
    answer: compileAnswer(answer, options.throttleRetryMs),
    usesOwnId: answer.id === 'ours',
    usesOriginCid: JSON.stringify(send).includes('{originCid'),
    callbacks:
      receipt === undefined
        ? null
        : {
            verify: compileVerifier(requireVerify(verify), account.given, account.callback),
            read: compileReceipts(receipt, coversQuery(requireVerify(verify))),
            contentType: contentTypes[receipt.encoding],
            ack: receipt.ack,
          },
  }
}

function describe(options: HttpOptions): Description {
  const base = options.profile === undefined ? undefined : profileOf(options.profile)
  const send = options.send ?? base?.send
  const answer = options.answer ?? base?.answer
  if (send === undefined || answer === undefined)
    throw new Error(
      `${send === undefined ? 'send' : 'answer'} is required without a profile; docs/http-profiles.md explains it`,
    )
  return {
    ...{ send, answer },
    // Another request of one's own has its own authentication.
    auth: options.auth ?? (options.send === undefined ? base?.auth : undefined),
    receipt: options.receipt ?? base?.receipt,
    verify: options.verify ?? base?.verify,
    optional: base?.optional ?? [],
  }
}

/** What the profile needs of the account. */
function checkAccount({ profile, values, secrets }: HttpOptions): void {
  if (profile === undefined) return
  const base = profileOf(profile)
  for (const [kind, given] of Object.entries({ values, secrets })) {
    const needed = base[kind as 'values' | 'secrets']
    for (const [name, meaning] of Object.entries(needed))
      if (!Object.hasOwn(given, name) && !base.optional.includes(name))
        throw new Error(`${kind}.${name} is missing, which the profile ${profile} needs: ${meaning}`)
  }
}

function requireVerify(verify: Verify | undefined): Verify {
  if (verify !== undefined) return verify
  throw new Error(
    'verify is missing: how a callback proves that it is of the carrier. Where it does not sign, put a secret into callbackUrl: { "by": "path", "key": "callbackToken" }',
  )
}

/** The address, the values in it and the user: routes of the same account receive each other's receipts. */
export function httpLogin(options: HttpOptions): readonly string[] {
  if (options.receiptGroup !== undefined) return [options.receiptGroup]
  const { auth, send } = describe(options)
  return loginValues(options, auth, send)
}

/** With values filled in: the host may be one of them. Secrets cannot be in a host. */
export function httpAddresses(options: HttpOptions): Readonly<Record<string, string>> {
  const { send, optional } = describe(options)
  const account = readAccount(options, optional)
  return {
    'send.url': originOf(send.url, account),
    ...(account.callback === '' ? {} : { callbackUrl: account.callback }),
  }
}
