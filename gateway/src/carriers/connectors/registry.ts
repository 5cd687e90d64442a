/** Connector kinds by name, and operations on them. Everything that a connector reports is limited by `bounds.ts`. */
import { createBounded } from './bounded-connector.ts'
import { boundReceipt, boundReply } from './options/bounds.ts'
import type { Connector, ConnectorContext, Submission } from './connector.ts'
import { declaredEvent } from './events.ts'
import { kakao } from './kakao/kind.ts'
import type { ConnectorKind, Inbound, RequestPreview, SubmissionUnit } from './options/kind.ts'
import { maap, maapKt } from './maap/kind.ts'
import { mm7 } from './mm7/kind.ts'
import type { Options } from './options/option-schema.ts'
import { didYouMean, OptionsError, parseOptions } from './options/options.ts'
import { omni } from './omni/kind.ts'
import { providers } from './providers/index.ts'
import { toConnectorKind } from './providers/kit/define.ts'
import type { Provider } from './providers/kit/provider.ts'
import { rbm } from './rbm/kind.ts'
import { sandbox } from './sandbox/kind.ts'
import { isReference } from '../../platform/settings/secret-reference.ts'
import {
  maskPreview,
  maskValues,
  referencedValues,
  requireReferencePlaces,
  resolveKnownSecrets,
  resolveSecrets,
} from './options/secrets.ts'
import { smpp } from './smpp/kind.ts'

const kinds: Record<string, ConnectorKind> = Object.fromEntries(
  [kakao, maap, maapKt, mm7, omni, rbm, sandbox, smpp, ...providers.map(toConnectorKind)].map((kind) => [
    kind.name,
    kind,
  ]),
)
export const connectorKinds: Readonly<Record<string, ConnectorKind>> = kinds

/** Adds a provider that is not part of this release. Must be called before any route is read. */
export function registerProvider(provider: Provider): void {
  const { name } = provider
  if (Object.hasOwn(kinds, name)) throw new Error(`protocol '${name}' already exists; use another name`)
  kinds[name] = toConnectorKind(provider)
}

/** Returns undefined for an unknown protocol, such as one of another version. */
export function findKind(protocol: string): ConnectorKind | undefined {
  return Object.hasOwn(connectorKinds, protocol) ? connectorKinds[protocol] : undefined
}

/** Throws an error that lists the known kinds. */
export function getKind(protocol: string): ConnectorKind {
  const kind = findKind(protocol)
  if (kind !== undefined) return kind
  const names = Object.keys(connectorKinds)
  throw new Error(
    `protocol must be one of ${names.join(', ')}, got '${protocol}'${didYouMean(protocol, names)}`,
  )
}

/** Returns the options with secrets and defaults filled in. Throws an error that names the invalid option. */
export function readOptions(protocol: string, options: Options): Options {
  const kind = getKind(protocol)
  explainFailure({}, () => requireReferencePlaces(kind, options))
  const resolved = resolveSecrets(options)
  return explainFailure(options, () => {
    const parsed = parseOptions(kind.name, kind.options, resolved)
    kind.check?.(parsed)
    return parsed
  })
}

/** Masks the values of references in errors, because the operators who save a route see them. */
function explainFailure<Result>(options: Options, check: () => Result): Result {
  let failure: Error
  try {
    return check()
  } catch (error) {
    failure = error as Error
  }
  const message = maskValues(failure.message, referencedValues(options))
  // The log includes the message of the cause.
  const cause = message === failure.message ? { cause: failure } : {}
  if (failure instanceof OptionsError) throw new OptionsError(message, failure.path, cause)
  throw new Error(message, cause)
}

/** Returns whether a route submits parts or whole messages. */
export function getSubmissionUnit(protocol: string, options: Options): SubmissionUnit {
  const kind = connectorKinds[protocol]
  if (kind?.submissionUnitFor === undefined) return kind?.submissionUnit ?? 'parts'
  try {
    return kind.submissionUnitFor(readKnown(kind, options))
  } catch {
    // The option belongs to another version: this process does not run the route.
    return kind.submissionUnit
  }
}

/** Returns the service under which replies over routes of this protocol are stored. */
export function getReplyService(protocol: string): 'SMS' | 'MMS' | 'RCS' {
  const channels = connectorKinds[protocol]?.channels ?? []
  return channels.includes('rcs') ? 'RCS' : channels.includes('mms') ? 'MMS' : 'SMS'
}

/** Returns whether a route submits `originCid`. Returns false if this process cannot determine it. */
export function supportsOriginCode(protocol: string, options: Options): boolean {
  return checkCapability(protocol, options, ({ supportsOriginCode: check }) => check)
}

/** Returns whether a route sends messages without a brand under a shared brand. */
export function usesSharedBrand(protocol: string, options: Options): boolean {
  return checkCapability(protocol, options, ({ usesSharedBrand: check }) => check)
}

function checkCapability(
  protocol: string,
  options: Options,
  select: (kind: ConnectorKind) => ((options: Options) => boolean) | undefined,
): boolean {
  try {
    const kind = getKind(protocol)
    return select(kind)?.(readKnown(kind, options)) ?? false
  } catch {
    // The kind or an option belongs to another version: this process does not run the route.
    return false
  }
}

/** Parses options, leaving secrets that this process does not have as references. */
function readKnown(kind: ConnectorKind, options: Options): Options {
  requireReferencePlaces(kind, options)
  return parseOptions(kind.name, kind.options, resolveKnownSecrets(options))
}

export function createConnector(protocol: string, options: Options, context: ConnectorContext): Connector {
  return createConnectorFrom(protocol, readOptions(protocol, options), context)
}

/** Expects options that `readOptions` returned. */
export function createConnectorFrom(protocol: string, read: Options, context: ConnectorContext): Connector {
  const { create, events } = getKind(protocol)
  return createBounded((bounded) => create(read, bounded), context, { events })
}

/** Returns the function that computes carrier ids for a route that is not running, or undefined if it is not known. */
export function findCarrierIdFor(
  protocol: string,
  options: Options,
): ((reference: string) => string) | undefined {
  try {
    const kind = getKind(protocol)
    return kind.carrierIdFor?.(readOptions(protocol, options))
  } catch {
    // Receipts of the route are then matched by the recipient.
    return undefined
  }
}

/** Returns a key of the login: routes with the same key can receive each other's receipts. Null if it is not known. */
export function findLogin(protocol: string, options: Options): string | null {
  try {
    const kind = getKind(protocol)
    const login = kind.login(readKnown(kind, options))
    return login.some(isReference) ? null : JSON.stringify([kind.name, ...login])
  } catch {
    // The kind or an option belongs to another version: this process does not run the route.
    return null
  }
}

/** Returns undefined if carriers of this kind send no HTTP requests. */
export function createInbound(protocol: string, options: Options): Inbound | undefined {
  const { inbound: create, events: declared } = getKind(protocol)
  const inbound = create?.(readOptions(protocol, options))
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

/** Returns undefined if the protocol has no HTTP requests to preview. */
export function previewRequest(
  protocol: string,
  options: Options,
  submission: Submission,
): RequestPreview | undefined {
  const preview = getKind(protocol).preview?.(readOptions(protocol, options), submission)
  return preview === undefined ? undefined : maskPreview(preview, referencedValues(options))
}
