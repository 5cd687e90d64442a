/** Uploads of the main account: accepted, or rejected with a code. */
import assert from 'node:assert/strict'
import { checkRefusal } from './api-assertions.ts'
import { account } from './installation.ts'

export async function acceptsUpload(path: string, content: Buffer, fileName = 'picture'): Promise<void> {
  const { httpStatus, body } = await (await account('main')).upload(path, { fileName, content })
  assert.deepEqual([httpStatus, body.code], [200, 'A000'], `${path}: ${body.result}`)
}

export async function rejectsUpload(
  path: string,
  content: Buffer,
  code: string,
  fileName = 'picture',
): Promise<void> {
  checkRefusal(await (await account('main')).upload(path, { fileName, content }), 400, code)
}

/** The imgUrl of an uploaded image. */
export async function uploadedImage(path: string, content: Buffer): Promise<string> {
  const { body } = await (await account('main')).upload(path, { fileName: 'picture', content })
  assert.equal(body.code, 'A000', `${path}: ${body.result}`)
  return body.data!.imgUrl!
}
