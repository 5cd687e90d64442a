import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCleanup } from '../../../test/support/cleanup.ts'
import { silentLog, testMetrics } from '../../../test/support/silent-log.ts'
import { createServer } from '../../edge/api/server/server.ts'
import type { ImageFormat } from './image/image.ts'
import { imageRules } from './rules.ts'
import { makeJpeg, makers } from '../../../test/support/files/images.ts'
import { multipartBody, multipartType } from '../../../test/support/files/multipart.ts'
import { account, createFileTestBed } from '../../../test/support/files/test-bed.ts'

const testBed = await createFileTestBed()
const server = createServer({
  log: silentLog,
  metrics: testMetrics(),
  authenticate: (request, _reply, done) => {
    request.account = account
    done()
  },
  open: [],
  authenticated: [testBed.routes],
})
addCleanup(() => server.close())

interface UploadResponse {
  readonly status: number
  readonly code: string
  readonly result: string
}

async function upload(path: string, content: Buffer): Promise<UploadResponse> {
  const response = await server.inject({
    method: 'POST',
    url: `/v1/file/${path}`,
    headers: { 'content-type': multipartType },
    payload: multipartBody({ content }),
  })
  return { status: response.statusCode, ...response.json<Omit<UploadResponse, 'status'>>() }
}

const allFormats: readonly ImageFormat[] = ['jpg', 'png', 'gif', 'bmp']
type Size = readonly [width: number, height: number]
const flexibleFits: Size[] = [
  [500, 250],
  [500, 666],
  [3000, 4000],
  [1000, 500],
]
const flexibleMisfits: Size[] = [
  [499, 400],
  [500, 249],
  [500, 667],
  [4097, 4096],
]

const table: { path: string; formats: ImageFormat[]; maxBytes: number; fits: Size[]; misfits: Size[] }[] = [
  {
    path: 'MMS',
    formats: ['jpg'],
    maxBytes: 307_200,
    fits: [[1, 1], [1500, 1440]], // prettier-ignore
    misfits: [[1501, 1440], [1500, 1441], [0, 5], [5, 0]], // prettier-ignore
  },
  {
    path: 'RCS',
    formats: [...allFormats],
    maxBytes: 1_048_576,
    fits: [[1, 1], [900, 1200], [4096, 2000], [2000, 4096]], // prettier-ignore
    misfits: [[4097, 1], [1, 4097], [65_535, 65_535]], // prettier-ignore
  },
  {
    path: 'FRIENDTALK/FI',
    formats: ['jpg', 'png'],
    maxBytes: 512_000,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
  {
    path: 'FRIENDTALK/FW',
    formats: ['jpg', 'png'],
    maxBytes: 2_097_152,
    fits: [[800, 600]],
    misfits: [[799, 600], [801, 600], [800, 599], [800, 601]], // prettier-ignore
  },
  {
    path: 'FRIENDTALK/FL',
    formats: ['jpg', 'png'],
    maxBytes: 2_097_152,
    fits: [[400, 400], [800, 400]], // prettier-ignore
    misfits: [[399, 400], [801, 400], [400, 399], [800, 401]], // prettier-ignore
  },
  {
    path: 'FRIENDTALK/FC',
    formats: ['jpg', 'png'],
    maxBytes: 2_097_152,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
  {
    path: 'FRIENDTALK/FA',
    formats: ['jpg', 'png'],
    maxBytes: 2_097_152,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
  {
    path: 'BRANDMESSAGE/default',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
  {
    path: 'BRANDMESSAGE/wide',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: [[500, 500], [800, 600], [1000, 500]], // prettier-ignore
    misfits: [[499, 499], [500, 501], [1001, 500]], // prettier-ignore
  },
  {
    path: 'BRANDMESSAGE/wideItemList/first',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: [[500, 250], [800, 400]], // prettier-ignore
    misfits: [[498, 249], [801, 400], [799, 400]], // prettier-ignore
  },
  {
    path: 'BRANDMESSAGE/wideItemList',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: [[500, 500], [800, 800]], // prettier-ignore
    misfits: [[499, 499], [501, 500], [500, 501]], // prettier-ignore
  },
  {
    path: 'BRANDMESSAGE/carouselFeed',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
  {
    path: 'BRANDMESSAGE/carouselCommerce',
    formats: ['jpg', 'png'],
    maxBytes: 5_242_880,
    fits: flexibleFits,
    misfits: flexibleMisfits,
  },
]

test('the tests cover every kind of image', () => {
  const paths = imageRules.map((rule) => [rule.serviceType, rule.kind].filter(Boolean).join('/'))
  assert.deepEqual(table.map((row) => row.path).sort(), paths.sort())
})

for (const { path, formats, maxBytes, fits, misfits } of table) {
  test(`${path} accepts sizes that fit and refuses others with A203`, async () => {
    for (const [width, height] of fits) {
      for (const format of formats) {
        const { status, code, result } = await upload(path, makers[format](width, height))
        assert.deepEqual([status, code], [200, 'A000'], `${format} ${width}x${height}: ${result}`)
      }
    }
    for (const [width, height] of misfits) {
      const { status, code, result } = await upload(path, makeJpeg(width, height))
      assert.deepEqual([status, code], [400, 'A203'], `${width}x${height}: ${result}`)
      assert.match(result, new RegExp(`${width}x${height}: (width|height)`))
    }
  })

  test(`${path} accepts ${formats.join(', ')} and refuses every other format with A206`, async () => {
    const [width, height] = fits[0]!
    for (const format of allFormats) {
      const { status, code } = await upload(path, makers[format](width, height))
      assert.deepEqual([status, code], formats.includes(format) ? [200, 'A000'] : [400, 'A206'], format)
    }
  })

  test(`${path} accepts ${maxBytes} bytes and refuses one more with A200`, async () => {
    const [width, height] = fits[0]!
    const largest = await upload(path, makeJpeg(width, height, maxBytes))
    assert.deepEqual([largest.status, largest.code], [200, 'A000'])
    const larger = await upload(path, makeJpeg(width, height, maxBytes + 1))
    assert.deepEqual([larger.status, larger.code], [400, 'A200'])
    assert.ok(larger.result.includes(String(maxBytes)))
  })
}
