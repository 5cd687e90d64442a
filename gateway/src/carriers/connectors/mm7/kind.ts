import { reply } from '../events.ts'
import { defineConnector } from '../options/kind.ts'
import { checkMm7Options, mm7Login } from './check-options.ts'
import { createMm7Connector } from './connector.ts'
import { mm7Inbound } from './inbound.ts'
import { details, mm7Notes } from './notes.ts'
import { Mm7Options } from './options.ts'
import { previewMm7 } from './preview.ts'

export const mm7 = defineConnector({
  name: 'mm7',
  summary: 'MM7 of 3GPP TS 23.140 and the dialects of SKT, KT and LGU+, for LMS and MMS.',
  channels: ['mms'],
  submissionUnit: 'message',
  severalOwners: true,
  events: {
    ...reply,
    'read-reply': 'A report on whether a recipient has read a message.',
    echo: 'KT checked whether the receiver of reports is alive.',
  },
  options: Mm7Options,
  example: {
    dialect: 'kt',
    url: 'http://mmsc.example.net:8080/',
    vaspId: 'acme',
    vasId: 'acme',
    partnerId: 'acme_01_001',
    billingNumber: '0212345678',
    webhookToken: 'env:POSTERN_ROUTE_SECRET_MM7_REPORT_TOKEN',
  },
  notes: mm7Notes,
  details,
  check: checkMm7Options,
  login: mm7Login,
  // 3GPP TS 23.140 has no element for the origin code; each Korean dialect has one.
  supportsOriginCode: ({ dialect }) => dialect !== '3gpp',
  create: createMm7Connector,
  inbound: mm7Inbound,
  preview: previewMm7,
})
