/** Uploads a small image through the API as a client does, and returns the result. */
import { makeJpeg } from '../files/images.ts'
import type { AccountClient } from './account-client.ts'

/** `service` is the rest of the path, such as `MMS` or `FRIENDTALK/FI`. */
export async function uploadImage(
  url: string,
  client: AccountClient,
  service: string,
  { width, height } = { width: 600, height: 500 },
): Promise<Readonly<Record<string, string>>> {
  const { body: token } = await client.login()
  const form = new FormData()
  form.append('file', new Blob([makeJpeg(width, height)], { type: 'image/jpeg' }), 'test.jpg')
  const headers = { authorization: `Bearer ${token.data!.token}` }
  const response = await fetch(`${url}/v1/file/${service}`, { method: 'POST', headers, body: form })
  return ((await response.json()) as { readonly data: Readonly<Record<string, string>> }).data
}
