/** Converts a provider to a connector kind, so that its routes, page and form are like those of any other kind. */
import type { TProperties } from 'typebox'
import { checkCertificates } from '../../http/certificates.ts'
import type { Submission } from '../../connector.ts'
import { accountRefused, fileUploaded, pollFailed, reply, tokenRenewed } from '../../events.ts'
import { defineConnector, type ConnectorKind, type RequestPreview } from '../../options/kind.ts'
import { mapTexts, type Options } from '../../options/option-schema.ts'
import { mask } from '../../options/secrets.ts'
import { createCallbacks } from './callbacks.ts'
import { ProviderConnector } from './connector.ts'
import { describeDetails, describeProvider } from './notes.ts'
import { createOptions, type ProviderLinkOptions } from './options.ts'
import type { Provider } from './provider.ts'
import { createMessage, createRoute } from './route.ts'

/** Checks the types of a module at compile time. */
export function defineProvider<Account extends TProperties>(provider: Provider<Account>): Provider {
  return provider as unknown as Provider
}

export function toConnectorKind(provider: Provider): ConnectorKind {
  const schema = createOptions(provider)
  const read = (options: Options) => options as ProviderLinkOptions
  return defineConnector({
    name: provider.name,
    summary: provider.summary,
    channels: provider.channels,
    submissionUnit: 'message',
    severalOwners: true,
    events: {
      ...accountRefused,
      ...(provider.tokens === undefined ? {} : tokenRenewed),
      ...(provider.upload === undefined ? {} : fileUploaded),
      ...(provider.poll === undefined ? {} : pollFailed),
      ...reply,
      'not-a-receipt': 'A callback without a receipt or a reply.',
    },
    options: schema,
    example: provider.example,
    notes: describeProvider(provider),
    details: describeDetails(provider),
    check(options) {
      checkCertificates(read(options).tls ?? {}, 'tls.')
      const { callbackUrl, callbackToken } = read(options)
      if (provider.callback?.verify === 'path' && callbackUrl !== undefined && callbackToken === undefined)
        throw new Error(
          'callbackToken is required with callbackUrl: the provider does not sign its callbacks',
        )
      provider.check?.(options)
    },
    login: (options) => {
      const { receiptGroup } = read(options)
      return receiptGroup === undefined ? provider.login(options) : [receiptGroup]
    },
    supportsOriginCode: () => provider.supportsOriginCode === true,
    create: (options, context) =>
      new ProviderConnector(provider, read(options), context, listSecrets(schema, options)),
    carrierIdFor: () => provider.ownId,
    ...(provider.callback === undefined
      ? {}
      : { inbound: (options: Options) => createCallbacks(provider, read(options)) }),
    preview: (options, submission) => preview(provider, schema, options, submission),
  })
}

/** Builds the request of a submission with every secret masked. */
function preview(
  provider: Provider,
  schema: ConnectorKind['options'],
  options: Options,
  submission: Submission,
): RequestPreview {
  const masked = mapTexts(
    options,
    (text, schemas) => (schemas.some(({ secret }) => secret === true) ? mask : text),
    [schema],
  )
  const route = createRoute(masked as ProviderLinkOptions)
  const files = submission.files.map(({ key }) => key)
  const request = provider.send(createMessage(submission), route, files)
  if ('kind' in request) throw new Error(`${provider.name} cannot send this message: ${request.text}`)
  const headers = { ...request.headers, ...provider.authorize?.(request, route, mask) }
  const authorization = headers['authorization'] === undefined ? {} : { authorization: mask }
  return {
    method: request.method,
    url: request.url,
    headers: { ...headers, ...authorization },
    body: request.body === null ? null : request.body.toString(),
  }
}

function listSecrets(schema: ConnectorKind['options'], options: Options): readonly string[] {
  const values: string[] = []
  mapTexts(
    options,
    (text, schemas) => {
      if (schemas.some(({ secret }) => secret === true)) values.push(text)
      return text
    },
    [schema],
  )
  return values
}
