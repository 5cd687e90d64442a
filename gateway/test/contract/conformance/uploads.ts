import assert from 'node:assert/strict'
import { assertError } from './api-assertions.ts'
import { getAccountClient } from './installation.ts'

export async function assertUploadAccepted(
  path: string,
  content: Buffer,
  fileName = 'picture',
): Promise<void> {
  const { httpStatus, body } = await (await getAccountClient('main')).upload(path, { fileName, content })
  assert.deepEqual([httpStatus, body.code], [200, 'A000'], `${path}: ${body.result}`)
}

export async function assertUploadRejected(
  path: string,
  content: Buffer,
  code: string,
  fileName = 'picture',
): Promise<void> {
  assertError(await (await getAccountClient('main')).upload(path, { fileName, content }), 400, code)
}

/** Uploads an image and returns its `imgUrl`. */
export async function uploadImageUrl(path: string, content: Buffer): Promise<string> {
  const { body } = await (await getAccountClient('main')).upload(path, { fileName: 'picture', content })
  assert.equal(body.code, 'A000', `${path}: ${body.result}`)
  return body.data!.imgUrl!
}
