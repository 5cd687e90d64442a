import { textReportCodes } from '../report-codes.ts'
import { richChannel } from '../rich-channel.ts'
import * as kind from './mms.ts'

export const mms = richChannel({
  name: 'mms',
  serviceType: 'MMS',
  kind,
  reportCodes: textReportCodes,
  countsBytes: true,
})
