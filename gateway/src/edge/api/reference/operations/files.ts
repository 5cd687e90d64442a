import type { ResultCode } from '../../../../contract/result-codes.ts'
import { serviceTypes } from '../../../../records/files/file.ts'
import { contentTypes } from '../../../../records/files/image/image.ts'
import { imageRules, type ImageRule } from '../../../../records/files/rules.ts'
import {
  deleteExamples,
  oneSegmentExamples,
  threeSegmentsExamples,
  twoSegmentsExamples,
} from '../examples/files.ts'
import { sampleValues } from '../examples/sample-values.ts'
import { imageRequirements } from '../image-requirements.ts'
import type { Example, OperationLink, Operation, OperationParameter } from '../operation.ts'
import { pathParameter } from '../parameters.ts'
import { ref } from '../ref.ts'
import { bubbleLink, contentLink, mmsLink, rcsLink } from './file-links.ts'

const codes: readonly ResultCode[] = [
  'A200',
  'A201',
  'A202',
  'A203',
  'A204',
  'A205',
  'A206',
  'A207',
  'A208',
  'A213',
  'A214',
  'A219',
  'A220',
]

const service = pathParameter('serviceType', 'The service that the image is for.', 'MMS', {
  enum: [...serviceTypes],
})

const kinds = [...new Set(imageRules.map(({ kind }) => kind.split('/')[0]!).filter((kind) => kind !== ''))]
const kind = pathParameter(
  'msgType',
  'The kind of image: FI, FW, FL, FC or FA for FRIENDTALK, the others for BRANDMESSAGE.',
  'FI',
  { enum: kinds },
)
const subType = pathParameter('subType', 'Only first, of wideItemList.', 'first', { enum: ['first'] })

interface Upload {
  readonly id: string
  readonly segments: readonly OperationParameter[]
  readonly summary: string
  readonly rules: readonly ImageRule[]
  readonly links: Readonly<Record<string, OperationLink>>
  readonly examples: readonly Example[]
}

const countSegments = (rule: ImageRule): number =>
  1 + rule.kind.split('/').filter((segment) => segment !== '').length
const getRules = (count: number): ImageRule[] => imageRules.filter((rule) => countSegments(rule) === count)

function upload({ id, segments, summary, rules, links, examples }: Upload): Operation {
  return {
    id,
    method: 'post',
    path: `/v1/file/${segments.map(({ name }) => `{${name}}`).join('/')}`,
    tag: 'Files',
    summary,
    description:
      `Registers one image, as the part \`file\` of a multipart/form-data body, for later sends.\n\n${imageRequirements(rules)}` +
      '\n\nThe format and the dimensions are detected from the content, not from the name.',
    parameters: segments,
    body: { contentType: 'multipart/form-data', schema: ref('UploadRequest'), description: 'The image' },
    response: { description: 'Registered', schema: ref('UploadResponse') },
    codes,
    links,
    examples,
  }
}

export const fileOperations: readonly Operation[] = [
  upload({
    id: 'uploadImage',
    segments: [service],
    summary: 'Upload an image for MMS or RCS',
    rules: getRules(1),
    links: { mms: mmsLink, rcs: rcsLink },
    examples: oneSegmentExamples,
  }),
  upload({
    id: 'uploadImageOfKind',
    segments: [{ ...service, example: 'FRIENDTALK' }, kind],
    summary: 'Upload an image for friendtalk or a brand message',
    rules: getRules(2),
    links: { friendtalk: bubbleLink, image: contentLink },
    examples: twoSegmentsExamples,
  }),
  upload({
    id: 'uploadImageOfSubkind',
    segments: [{ ...service, example: 'BRANDMESSAGE' }, { ...kind, example: 'wideItemList' }, subType],
    summary: 'Upload the first image of a wide item list',
    rules: getRules(3),
    links: { image: contentLink },
    examples: threeSegmentsExamples,
  }),
  {
    id: 'deleteFile',
    method: 'delete',
    path: '/v1/file/{fileKey}',
    tag: 'Files',
    summary: 'Delete a file',
    description:
      'Deletes the image immediately: no send can refer to it, and within a minute every process answers its imgUrl with ' +
      '404. Messages that were accepted and not submitted yet lose it: wait for their reports first.',
    parameters: [pathParameter('fileKey', 'fileKey of the image.', sampleValues.mmsKey)],
    response: { description: 'Deleted', schema: ref('PlainResponse') },
    codes: ['A217'],
    examples: deleteExamples,
    beyondContract: 'The contract has no way to delete a file.',
  },
  {
    id: 'fetchImage',
    method: 'get',
    path: '/v1/file/content/{key}',
    tag: 'Files',
    summary: 'Fetch the image of an imgUrl',
    description:
      'For carriers and handsets: imgUrl points here. It needs no token, because the key cannot be guessed. Images for ' +
      'MMS and RCS have no URL.',
    open: true,
    parameters: [pathParameter('key', 'fileKey of the image.', sampleValues.bubbleKey)],
    response: { description: 'The image', files: Object.values(contentTypes) },
    codes: [],
    examples: [],
    beyondContract: 'The contract has the URL, but does not describe this operation.',
  },
]
