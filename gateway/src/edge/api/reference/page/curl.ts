/** Formats an example as a curl command; $POSTERN is the address of the server and $TOKEN the token. */
import { exampleType, type Example, type Operation } from '../operation.ts'

export function toCurl(operation: Operation, example: Example): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => example.path?.[name] ?? name)
  const query = new URLSearchParams(example.query).toString()
  const address = `"$POSTERN${path}${query === '' ? '' : `?${query}`}"`
  const headers = [
    ...(operation.open ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...Object.entries(example.headers ?? {}).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
  ]
  const method = operation.method.toUpperCase()
  const hasContent = example.body !== undefined || example.file !== undefined
  const verb = method === 'GET' || (method === 'POST' && hasContent) ? '' : `-X ${method} `
  const lines = [`curl -s ${verb}${address}`, ...headers]
  if (example.body !== undefined) {
    lines.push(
      `-H 'Content-Type: ${exampleType(example.body)}'`,
      typeof example.body === 'string'
        ? `--data-binary ${quoted(example.body)}`
        : `-d ${quoted(JSON.stringify(example.body, null, 2).replaceAll('\n', '\n  '))}`,
    )
  }
  if (example.file !== undefined) lines.push(`-F 'file=@${example.file.name}'`)
  return lines.join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
