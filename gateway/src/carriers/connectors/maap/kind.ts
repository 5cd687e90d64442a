/** RCS at the Korean carriers and at the relay of KT, as two connector kinds. */
import { accountRefused, fileUploaded, malformedReceipt, pollFailed, reply, tokenRenewed } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { checkMaapOptions, checkRelayOptions, maapLogin, relayLogin } from './check-options.ts'
import { MaapConnector } from './connector.ts'
import { maapInbound } from './inbound.ts'
import { toMaapMessageId } from './message-id.ts'
import { maapDetails, maapNotes, relayDetails, relayNotes } from './notes.ts'
import { MaapOptions } from './options.ts'
import { previewMaap, previewRelay } from './preview.ts'
import { RelayConnector } from './relay-connector.ts'
import { RelayOptions } from './relay-options.ts'

const events = {
  ...accountRefused,
  ...fileUploaded,
  ...malformedReceipt,
  ...reply,
  ...tokenRenewed,
  'new-user': 'A new user of one of our chatbots; the notice is dropped.',
  'other-status': 'A status that is neither success nor failure.',
  'file-forgotten': 'The carrier no longer has an uploaded file; it is uploaded again.',
  warning: 'The carrier accepted a message with a warning.',
}

export const maap = defineConnector({
  name: 'maap',
  summary: 'RCS at SKT, KT and LGU+ over their MaaP API 1.2.',
  channels: ['rcs'],
  submissionUnit: 'message',
  severalOwners: true,
  events: {
    ...events,
    'not-subscriber': 'A carrier responded that the number is not its own; the next carrier was tried.',
  },
  options: MaapOptions,
  example: {
    carriers: {
      skt: {
        url: 'https://skt.example.net/ag/1.2',
        clientId: 'acme',
        clientSecret: 'env:POSTERN_ROUTE_SECRET_MAAP_SKT_SECRET',
      },
      kt: {
        url: 'https://kt.example.net/ag/1.2',
        clientId: 'acme',
        clientSecret: 'env:POSTERN_ROUTE_SECRET_MAAP_KT_SECRET',
      },
      lgu: {
        url: 'https://lgu.example.net/ag/1.2',
        clientId: 'acme',
        clientSecret: 'env:POSTERN_ROUTE_SECRET_MAAP_LGU_SECRET',
      },
    },
    agencyId: 'acme',
    agencyKey: 'env:POSTERN_ROUTE_SECRET_MAAP_AGENCY_KEY',
    webhookToken: 'env:POSTERN_ROUTE_SECRET_MAAP_WEBHOOK_TOKEN',
  },
  notes: maapNotes,
  details: maapDetails,
  check: checkMaapOptions,
  login: maapLogin,
  create: (options, context) => new MaapConnector(options, context),
  carrierIdFor: () => toMaapMessageId,
  inbound: maapInbound,
  preview: previewMaap,
})

export const maapKt = defineConnector({
  name: 'maap-kt',
  summary: 'RCS over the relay of KT, which reaches the subscribers of SKT, KT and LGU+.',
  channels: ['rcs'],
  submissionUnit: 'message',
  severalOwners: true,
  events: {
    ...events,
    ...pollFailed,
    'batch-lost':
      'A batch of results could not be read, or the relay does not return it again. Its messages wait until their deadline.',
  },
  options: RelayOptions,
  example: {
    rcsId: 'acme',
    rcsSecret: 'env:POSTERN_ROUTE_SECRET_MAAP_RCS_SECRET',
    agencyKey: 'env:POSTERN_ROUTE_SECRET_MAAP_AGENCY_KEY',
    webhookToken: 'env:POSTERN_ROUTE_SECRET_MAAP_WEBHOOK_TOKEN',
  },
  notes: relayNotes,
  details: relayDetails,
  check: checkRelayOptions,
  login: relayLogin,
  create: (options, context) => new RelayConnector(options, context),
  carrierIdFor: () => toMaapMessageId,
  inbound: maapInbound,
  preview: previewRelay,
})
