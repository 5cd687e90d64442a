/**
 * Every kind of connector by its name, and what the rest of the gateway does with one. What a connector reports of its
 * carrier is bounded, see `bounds.ts`. Called by dispatch, the API, settle and the command line.
 */
import { createBounded } from './bounded-connector.ts'
import { boundReceipt, boundReply } from './bounds.ts'
import type { Connector, ConnectorContext, Submission } from './connector.ts'
import { declaredEvent } from './events.ts'
import { kakao } from './kakao/kind.ts'
import type { ConnectorKind, Inbound, RequestPreview, Takes } from './kind.ts'
import { maap, maapKt } from './maap/kind.ts'
import { mm7 } from './mm7/kind.ts'
import type { Options } from './option-schema.ts'
import { didYouMean, OptionsError, parseOptions } from './options.ts'
import { omni } from './omni/kind.ts'
import { providers } from './providers/index.ts'
import { toConnectorKind } from './providers/kit/define.ts'
import type { Provider } from './providers/kit/provider.ts'
import { rbm } from './rbm/kind.ts'
import { sandbox } from './sandbox/kind.ts'
import { isReference } from '../platform/secret-reference.ts'
import {
  maskPreview,
  maskValues,
  referencedValues,
  requireReferencePlaces,
  resolveKnownSecrets,
  resolveSecrets,
} from './secrets.ts'
import { smpp } from './smpp/kind.ts'

const kinds: Record<string, ConnectorKind> = Object.fromEntries(
  [kakao, maap, maapKt, mm7, omni, rbm, sandbox, smpp, ...providers.map(toConnectorKind)].map((kind) => [
    kind.name,
    kind,
  ]),
)
export const connectorKinds: Readonly<Record<string, ConnectorKind>> = kinds

/** Adds a provider that is not part of this release. Call it before any route is read. */
export function registerProvider(provider: Provider): void {
  const { name } = provider
  if (Object.hasOwn(kinds, name)) throw new Error(`there is a protocol '${name}' already; use another name`)
  kinds[name] = toConnectorKind(provider)
}

/** Undefined for a protocol of another version, or of none. */
export function findKind(protocol: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorKinds, protocol) ? connectorKinds[protocol] : undefined
}

/** Throws an error that names the kinds there are. */
export function kindOf(protocol: string): ConnectorKind {
  const kind = findKind(protocol)
  if (kind !== undefined) return kind
  const names = Object.keys(connectorKinds)
  throw new Error(
    `protocol must be one of ${names.join(', ')}, but is '${protocol}'${didYouMean(protocol, names)}`,
  )
}

/** The options with secrets and defaults filled in. Throws an error that names what is wrong, before any traffic. */
export function readOptions(protocol: string, options: Options): Options {
  const kind = kindOf(protocol)
  explainFailure({}, () => requireReferencePlaces(kind, options))
  const resolved = resolveSecrets(options)
  return explainFailure(options, () => {
    const parsed = parseOptions(kind.name, kind.options, resolved)
    kind.check?.(parsed)
    return parsed
  })
}

/** Masks the values of references, in case an error quotes them: operators who save a route read it. */
function explainFailure<Result>(options: Options, check: () => Result): Result {
  let failure: Error
  try {
    return check()
  } catch (error) {
    failure = error as Error
  }
  const message = maskValues(failure.message, referencedValues(options))
  // A log contains the message of the cause.
  const cause = message === failure.message ? { cause: failure } : {}
  if (failure instanceof OptionsError) throw new OptionsError(message, failure.path, cause)
  throw new Error(message, cause)
}

/** Whether a route submits parts or whole messages. */
export function takesOf(protocol: string, options: Options): Takes {
  const kind = connectorKinds[protocol]
  if (kind?.takesWith === undefined) return kind?.takes ?? 'parts'
  try {
    return kind.takesWith(readKnown(kind, options))
  } catch {
    // An option of another version: this process does not run the route either.
    return kind.takes
  }
}

/** The service that replies over routes of this protocol belong to. */
export function replyServiceOf(protocol: string): 'SMS' | 'MMS' | 'RCS' {
  const channels = connectorKinds[protocol]?.channels ?? []
  return channels.includes('rcs') ? 'RCS' : channels.includes('mms') ? 'MMS' : 'SMS'
}

/** Whether a route submits `originCid`. False when this process cannot know it. */
export function carriesOrigin(protocol: string, options: Options): boolean {
  return ask(protocol, options, 'carriesOrigin')
}

/** Whether a route sends a message that names no brand under a brand that others use too. */
export function lendsBrand(protocol: string, options: Options): boolean {
  return ask(protocol, options, 'lendsBrand')
}

function ask(protocol: string, options: Options, question: 'carriesOrigin' | 'lendsBrand'): boolean {
  try {
    const kind = kindOf(protocol)
    return kind[question]?.(readKnown(kind, options)) ?? false
  } catch {
    // A kind or an option of another version: this process does not run the route either.
    return false
  }
}

/** As far as this process knows the secrets. */
function readKnown(kind: ConnectorKind, options: Options): Options {
  requireReferencePlaces(kind, options)
  return parseOptions(kind.name, kind.options, resolveKnownSecrets(options))
}

export function createConnector(protocol: string, options: Options, context: ConnectorContext): Connector {
  return createConnectorFrom(protocol, readOptions(protocol, options), context)
}

/** With options as `readOptions` has returned them. */
export function createConnectorFrom(protocol: string, read: Options, context: ConnectorContext): Connector {
  const { create, events } = kindOf(protocol)
  return createBounded((bounded) => create(read, bounded), context, { events })
}

/** The id that the carrier knows a submission by, for a route that does not run; undefined when it is not known. */
export function findCarrierIdFor(
  protocol: string,
  options: Options,
): ((reference: string) => string) | undefined {
  try {
    const kind = kindOf(protocol)
    return kind.carrierIdFor?.(readOptions(protocol, options))
  } catch {
    // Its receipts are matched by recipient.
    return undefined
  }
}

/** Two routes with the same login may receive each other's receipts. Null when this process cannot know it. */
export function loginOf(protocol: string, options: Options): string | null {
  try {
    const kind = kindOf(protocol)
    const login = kind.login(readKnown(kind, options))
    return login.some(isReference) ? null : JSON.stringify([kind.name, ...login])
  } catch {
    // A kind or an option of another version: this process does not run the route either.
    return null
  }
}

/** Undefined when the carrier makes no requests to routes of this kind. */
export function createInbound(protocol: string, options: Options): Inbound | undefined {
  const { inbound: open, events: declared } = kindOf(protocol)
  const inbound = open?.(readOptions(protocol, options))
  if (inbound === undefined) return undefined
  return (request) => {
    const result = inbound(request)
    return {
      ...result,
      receipts: result.receipts.map(boundReceipt),
      ...(result.replies === undefined ? {} : { replies: result.replies.map(boundReply) }),
      ...(result.events === undefined
        ? {}
        : { events: result.events.map((name) => declaredEvent(declared, name)) }),
    }
  }
}

/** Undefined when the protocol has no requests that can be shown. */
export function previewRequest(
  protocol: string,
  options: Options,
  submission: Submission,
): RequestPreview | undefined {
  const preview = kindOf(protocol).preview?.(readOptions(protocol, options), submission)
  return preview === undefined ? undefined : maskPreview(preview, referencedValues(options))
}
