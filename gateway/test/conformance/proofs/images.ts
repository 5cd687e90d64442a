/** The images that each service accepts: formats, sizes, bytes; both sides of each limit. */
import { makers } from '../../support/files/images.ts'
import { accepts, mediaOf, refuses } from '../api-assertions.ts'
import { card } from '../request-bodies.ts'
import { prove } from '../prove.ts'
import { formatCases } from '../rows/formats.ts'
import { rejectsUpload, acceptsUpload } from '../uploads.ts'

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
    if (accepted.includes(format)) await acceptsUpload(path, content)
    else await rejectsUpload(path, content, 'A206')
  }
  await rejectsUpload(path, Buffer.from('%PDF-1.4 this is not an image'), 'A206')
}

prove('image.mms-formats', () => formats('MMS', [640, 480], ['jpg']))
prove('image.rcs-formats', () => formats('RCS', [568, 528], ['jpg', 'bmp', 'png', 'gif']))
prove('image.friendtalk-formats', async () => {
  await formats('FRIENDTALK/FI', [800, 400], ['jpg', 'png'])
  await formats('FRIENDTALK/FW', [800, 600], ['jpg', 'png'])
})

/** Sizes that fit and sizes that do not. */
async function sizes(
  path: string,
  fit: readonly (readonly [number, number])[],
  misfit: readonly (readonly [number, number])[],
): Promise<void> {
  for (const [width, height] of fit) await acceptsUpload(path, makeJpeg(width, height))
  for (const [width, height] of misfit) await rejectsUpload(path, makeJpeg(width, height), 'A203')
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

const upright = (path: string): Promise<void> =>
  sizes(
    path,
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
prove('image.friendtalk-image', () => upright('FRIENDTALK/FI'))
prove('image.friendtalk-carousel', async () => {
  await upright('FRIENDTALK/FC')
  await upright('FRIENDTALK/FA')
})
prove('image.friendtalk-wide', () =>
  sizes(
    'FRIENDTALK/FW',
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
  sizes(
    'FRIENDTALK/FL',
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
  await acceptsUpload(path, makeJpeg(width, height, max))
  await rejectsUpload(path, makeJpeg(width, height, max + 1), 'A200')
}

const mmsBytes = (): Promise<void> => bytes('MMS', [640, 480], 300 * kilobyte)
const rcsBytes = (): Promise<void> => bytes('RCS', [568, 528], megabyte)
const plainBytes = (): Promise<void> => bytes('FRIENDTALK/FI', [800, 400], 500 * kilobyte)
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
  for (const { image } of formatCases) if (image !== null) await acceptsUpload('RCS', makeJpeg(...image))
  const media = await mediaOf(568, 528)
  await accepts('rcs', card('SMwThT00', { title: 'title', media }))
  await refuses('rcs', card('SMwThM00', { title: 'title', media }), 'A203', 'content.standalone.media')
})
