import assert from 'node:assert/strict'
import { makers } from '../../../support/files/images.ts'
import { assertAccepted, getMedia, assertRejected } from '../api-assertions.ts'
import { card, friendtalk } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { sendFlowForCode } from '../flows.ts'
import { formatCases } from '../rows/formats.ts'
import { assertUploadAccepted, assertUploadRejected, uploadImageUrl } from '../uploads.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte
const makeJpeg = makers.jpg

async function formats(
  path: string,
  size: readonly [number, number],
  accepted: readonly string[],
): Promise<void> {
  for (const [format, make] of Object.entries(makers)) {
    const content = make(...size)
    if (accepted.includes(format)) await assertUploadAccepted(path, content)
    else await assertUploadRejected(path, content, 'A206')
  }
  for (const name of ['a.jpg', 'a.jpeg']) await assertUploadAccepted(path, makeJpeg(...size), name)
  await assertUploadRejected(path, Buffer.from('%PDF-1.4 this is not an image'), 'A206')
}

prove('image.mms-formats', () => formats('MMS', [640, 480], ['jpg']))
prove('image.rcs-formats', () => formats('RCS', [568, 528], ['jpg', 'bmp', 'png', 'gif']))
prove('image.friendtalk-formats', async () => {
  await formats('FRIENDTALK/FI', [800, 400], ['jpg', 'png'])
  await formats('FRIENDTALK/FW', [800, 600], ['jpg', 'png'])
})

/** Tests accepted and rejected sizes. */
async function sizes(
  path: string,
  fit: readonly (readonly [number, number])[],
  misfit: readonly (readonly [number, number])[],
): Promise<void> {
  for (const [width, height] of fit) await assertUploadAccepted(path, makeJpeg(width, height))
  for (const [width, height] of misfit) await assertUploadRejected(path, makeJpeg(width, height), 'A203')
}

/** Builds a message that uses an image in the way of its kind. */
const contentByKind: Readonly<Record<string, (imgUrl: string) => object>> = {
  FI: (imgUrl) => ({ text: 'words', attachment: { image: { imgUrl } } }),
  FW: (imgUrl) => ({ text: 'words', attachment: { image: { imgUrl } } }),
  FL: (imgUrl) => ({
    header: 'head',
    attachment: {
      item: { list: [1, 2, 3].map((n) => ({ title: `${n}`, imgUrl, urlMobile: 'https://example.com' })) },
    },
  }),
  FC: (imgUrl) => ({
    carousel: { list: [1, 2].map(() => ({ header: 'h', message: 'm', ...createCard(imgUrl) })) },
  }),
  FA: (imgUrl) => ({
    carousel: { list: [1, 2].map(() => createCard(imgUrl, { commerce: { title: 't', regularPrice: 1 } })) },
  }),
}

function createCard(imgUrl: string, more: object = {}): object {
  const button = [{ type: 'WL', name: 'open', urlMobile: 'https://example.com' }]
  return { attachment: { image: { imgUrl }, button, ...more } }
}

/** Asserts that uploads and messages of a kind accept the sizes `fit` and reject the sizes `misfit`. */
async function kakaoSizes(kind: string, fit: readonly Size[], misfit: readonly Size[]): Promise<void> {
  await sizes(`FRIENDTALK/${kind}`, fit, misfit)
  const findCode = async (as: string, size: Size): Promise<string> => {
    const imgUrl = await uploadImageUrl(`FRIENDTALK/${as}`, makeJpeg(...size))
    return sendFlowForCode([
      { friendtalk: { senderKey: 'k', msgType: kind, ...contentByKind[kind]!(imgUrl) } },
    ])
  }
  for (const size of fit) assert.equal(await findCode(kind, size), 'A000', `${kind} ${size.join('x')}`)
  // Accepted at upload as an image of another kind.
  for (const [as, size] of Object.entries(strangers)) {
    if (misfitsIn[kind]!.includes(as)) assert.equal(await findCode(as, size), 'A203', `${as} in ${kind}`)
  }
}

type Size = readonly [width: number, height: number]
/** A size for each kind that it accepts at upload and other kinds of message reject. */
const strangers: Readonly<Record<string, Size>> = { FI: [500, 250], FL: [400, 400] }
/** Kinds of upload whose size in `strangers` a kind of message must reject. */
const misfitsIn: Readonly<Record<string, readonly string[]>> = {
  FI: ['FL'],
  FW: ['FI', 'FL'],
  FL: ['FI'],
  FC: ['FL'],
  FA: ['FL'],
}

prove('image.mms-size', () =>
  sizes(
    'MMS',
    [
      [1500, 1440],
      [1, 1],
    ],
    [
      [1501, 1440],
      [1500, 1441],
    ],
  ),
)

const imageAndCarouselSizes = (kind: string): Promise<void> =>
  kakaoSizes(
    kind,
    [
      [500, 250],
      [500, 500],
      [750, 1000],
      [1000, 500],
    ],
    [
      [499, 499],
      [1001, 500],
      [750, 1001],
      [1000, 499],
    ],
  )
prove('image.friendtalk-image', () => imageAndCarouselSizes('FI'))
prove('image.friendtalk-carousel', async () => {
  await imageAndCarouselSizes('FC')
  await imageAndCarouselSizes('FA')
})
prove('image.friendtalk-wide', () =>
  kakaoSizes(
    'FW',
    [[800, 600]],
    [
      [801, 600],
      [799, 600],
      [800, 601],
      [800, 599],
    ],
  ),
)
prove('image.friendtalk-list', () =>
  kakaoSizes(
    'FL',
    [
      [400, 400],
      [600, 400],
      [800, 400],
    ],
    [
      [399, 400],
      [801, 400],
      [400, 399],
      [400, 401],
    ],
  ),
)

async function bytes(path: string, [width, height]: readonly [number, number], max: number): Promise<void> {
  await assertUploadAccepted(path, makeJpeg(width, height, max))
  await assertUploadRejected(path, makeJpeg(width, height, max + 1), 'A200')
}

const mmsBytes = (): Promise<void> => bytes('MMS', [640, 480], 300 * kilobyte)
const rcsBytes = (): Promise<void> => bytes('RCS', [568, 528], megabyte)
async function plainBytes(): Promise<void> {
  await bytes('FRIENDTALK/FI', [800, 400], 500 * kilobyte)
  // Uploaded as a wide image and used in a plain and a wide message.
  const imgUrl = await uploadImageUrl('FRIENDTALK/FW', makeJpeg(800, 600, 500 * kilobyte + 1))
  await assertRejected('friendtalk', friendtalk({ msgType: 'FI', imgUrl }), 'A200', 'imgUrl')
  await assertAccepted('friendtalk', friendtalk({ msgType: 'FW', imgUrl }))
}
async function largeBytes(): Promise<void> {
  await bytes('FRIENDTALK/FW', [800, 600], 2 * megabyte)
  await bytes('FRIENDTALK/FL', [800, 400], 2 * megabyte)
  await bytes('FRIENDTALK/FC', [800, 400], 2 * megabyte)
  await bytes('FRIENDTALK/FA', [800, 400], 2 * megabyte)
}
prove('image.mms-bytes', mmsBytes)
prove('limit.image-mms', mmsBytes)
prove('image.rcs-bytes', rcsBytes)
prove('limit.image-rcs', rcsBytes)
prove('image.friendtalk-bytes', plainBytes)
prove('image.friendtalk-large', largeBytes)
prove('limit.image-friendtalk', async () => {
  await plainBytes()
  await bytes('FRIENDTALK/FW', [800, 600], 2 * megabyte)
})

prove('image.rcs-size', async () => {
  for (const { image } of formatCases)
    if (image !== null) await assertUploadAccepted('RCS', makeJpeg(...image))
  const media = await getMedia(568, 528)
  await assertAccepted('rcs', card('SMwThT00', { title: 'title', media }))
  await assertRejected('rcs', card('SMwThM00', { title: 'title', media }), 'A203', 'content.standalone.media')
})
