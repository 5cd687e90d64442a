/** Examples of uploads, grouped by the number of path segments after `/v1/file/`. */
import type { Example } from '../operation.ts'
import { sampleValues, success } from './sample-values.ts'

export const oneSegmentExamples: readonly Example[] = [
  {
    name: 'mmsImage',
    summary: 'An image for MMS',
    path: { serviceType: 'MMS' },
    file: { name: 'sale.jpg', width: 640, height: 480 },
    status: 200,
    response: { ...success, data: { fileKey: sampleValues.mmsKey, expired: sampleValues.fileEnd } },
  },
  {
    name: 'rcsImage',
    summary: 'An image for RCS, with the size of its format',
    path: { serviceType: 'RCS' },
    file: { name: 'sale.jpg', width: 568, height: 336 },
    status: 200,
    response: {
      ...success,
      data: {
        fileKey: sampleValues.rcsKey,
        expired: sampleValues.longFileEnd,
        media: `maapfile://${sampleValues.rcsKey}`,
      },
    },
  },
  {
    name: 'imageTooWide',
    summary: 'Too wide for MMS',
    path: { serviceType: 'MMS' },
    file: { name: 'sale.jpg', width: 1600, height: 480 },
    status: 400,
    response: { code: 'A203', result: 'Invalid resolution 1600x480: width must be at most 1500' },
  },
  {
    name: 'unknownService',
    summary: 'Unknown service',
    path: { serviceType: 'FAX' },
    file: { name: 'sale.jpg', width: 640, height: 480 },
    status: 400,
    response: {
      code: 'A219',
      result: "Invalid or empty 'serviceType': must be one of MMS, RCS, FRIENDTALK, BRANDMESSAGE",
      field: 'serviceType',
    },
  },
]

const bubble = {
  fileKey: sampleValues.bubbleKey,
  expired: sampleValues.longFileEnd,
  imgUrl: `${sampleValues.fileBase}${sampleValues.bubbleKey}`,
}

export const twoSegmentsExamples: readonly Example[] = [
  {
    name: 'friendtalkImage',
    summary: 'An image for friendtalk FI',
    path: { serviceType: 'FRIENDTALK', msgType: 'FI' },
    file: { name: 'autumn.jpg', width: 800, height: 400 },
    status: 200,
    response: { ...success, data: bubble },
  },
]

export const threeSegmentsExamples: readonly Example[] = [
  {
    name: 'firstItemImage',
    summary: 'The wide image of the first item of a list',
    path: { serviceType: 'BRANDMESSAGE', msgType: 'wideItemList', subType: 'first' },
    file: { name: 'first.jpg', width: 800, height: 400 },
    status: 200,
    response: { ...success, data: bubble },
  },
]

const deleted = { fileKey: sampleValues.mmsKey }

export const deleteExamples: readonly Example[] = [
  { name: 'fileDeleted', summary: 'Deleted', path: deleted, status: 200, response: success },
  {
    name: 'fileUnknown',
    summary: 'Already deleted',
    path: deleted,
    status: 400,
    response: { code: 'A217', result: "Invalid or empty 'fileKey': file not found", field: 'fileKey' },
  },
]
