/** Changes one line of the map file that running HAProxy processes hold in memory, over their runtime API. */
import { connect } from 'node:net'
import { FailedError } from '../errors.ts'

const timeoutMs = 5_000

/** `socket` is the path of a Unix socket, or host:port. */
export async function switchProxy(
  socket: string,
  map: string,
  clientId: string,
  cell: string,
): Promise<void> {
  // `set map` answers with an error when the map has no such line yet, and with nothing when it was changed.
  if ((await ask(socket, `set map ${map} ${clientId} ${cell}`)) === '') return
  const answer = await ask(socket, `add map ${map} ${clientId} ${cell}`)
  if (answer !== '')
    throw new FailedError(
      `the proxy at ${socket} answered: ${answer.slice(0, 200)}. Check that the socket has level admin and that the proxy has loaded the map ${map}, then run the command again`,
    )
}

/** A client id that cannot be mistaken for another command or word of the runtime API. */
export function isPlainId(clientId: string): boolean {
  return /^[A-Za-z0-9._@-]{1,200}$/.test(clientId)
}

async function ask(socket: string, command: string): Promise<string> {
  const [, host, port] = /^([^/]+):(\d{1,5})$/.exec(socket) ?? []
  const connection = host === undefined ? connect(socket) : connect(Number(port), host)
  connection.setTimeout(timeoutMs, () => connection.destroy(new Error(`no answer within ${timeoutMs} ms`)))
  connection.setEncoding('utf8')
  connection.end(`${command}\n`)
  let answer = ''
  try {
    for await (const chunk of connection) answer += chunk as string
  } catch (error) {
    throw new FailedError(
      `the proxy at ${socket} cannot be reached (${(error as Error).message}); run the command again`,
    )
  }
  return answer.trim()
}
