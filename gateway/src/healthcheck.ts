/**
 * The health check of the container image, which has no curl: exits 0 if the process in this container is
 * ready. It loads nothing of the gateway, so that it stays fast.
 */
// oxlint-disable-next-line postern/environment -- the configuration is not loaded: it requires settings that a health check does not need.
const port = process.env.POSTERN_OPS_PORT ?? '9090'
try {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_000) })
  if (!response.ok) {
    process.stderr.write(`not ready: ${(await response.text()).slice(0, 500)}\n`)
    process.exitCode = 1
  }
} catch {
  process.stderr.write(`no response on port ${port}\n`)
  process.exitCode = 1
}
export {}
