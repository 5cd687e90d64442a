/**
 * `node gateway/test/security/unread-answers.ts`: strangers' connections request an image many times
 * without reading the responses. The open files and the memory of the API process must stay limited, others
 * must be served in the meantime, and the files must be closed when the connections are gone.
 */
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { makeJpeg } from '../support/files/images.ts'
import { waitFor } from '../support/wait.ts'
import { runTargetAttack } from './attack.ts'

const connections = 60
const imageBytes = 490_000
/** Fits one chunk that Node reads from a connection. */
const floodRequests = 700
const fewRequests = 60
const maxOpenFiles = 256
const maxGrowthMegabytes = 200

await runTargetAttack({}, async ({ attacker, api, url, wrong, report }) => {
  const { body: login } = await attacker.login()
  const form = new FormData()
  form.append('file', new Blob([makeJpeg(800, 400, imageBytes)], { type: 'image/jpeg' }), 'test.jpg')
  const uploaded = await fetch(`${url}/v1/file/FRIENDTALK/FI`, {
    method: 'POST',
    headers: { authorization: `Bearer ${login.data!.token}` },
    body: form,
  })
  const { data } = (await uploaded.json()) as { data: { fileKey: string } }
  const path = `/v1/file/content/${data.fileKey}`
  const openFiles = (): number =>
    readdirSync(`/proc/${api.pid}/fd`).filter((fd) => {
      try {
        return readlinkSync(`/proc/${api.pid}/fd/${fd}`).endsWith(data.fileKey)
      } catch {
        return false
      }
    }).length
  const megabytes = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${api.pid}/status`, 'utf8'))![1]) / 1024
  const before = megabytes()

  async function ask(requests: number): Promise<Socket> {
    const socket = connect(api.port, '127.0.0.1').pause()
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(requests))
    return socket
  }
  const sockets: Socket[] = []
  let most = 0
  for (let nth = 0; nth < connections; nth += 1) {
    sockets.push(await ask(nth % 2 === 0 ? floodRequests : fewRequests))
    most = Math.max(most, openFiles())
    const { status } = await fetch(`${url}/docs`)
    if (status !== 200) wrong(`another client got status ${status}`)
  }
  await waitFor('images of unread responses', () => openFiles() > 0)
  most = Math.max(most, openFiles())
  const growth = megabytes() - before
  report(`${connections} connections: at most ${most} open files, ${Math.round(growth)} MB more`)
  if (most > maxOpenFiles) wrong(`${most} files were open`)
  if (growth > maxGrowthMegabytes) wrong(`the process has grown by ${Math.round(growth)} MB`)
  const image = await fetch(`${url}${path}`)
  if (image.status !== 200 || (await image.arrayBuffer()).byteLength !== imageBytes)
    wrong(`an image request got ${image.status} in the meantime`)
  for (const socket of sockets) socket.destroy()
  await waitFor('the files to be closed', () => openFiles() === 0)
})
