/** The video of a video bubble (FP). Only videos of Kakao TV can be played. */
import { Type, type Static } from 'typebox'
import { invalidField } from '../../contract/problem.ts'
import { quote } from '../../contract/quote.ts'
import type { Issues } from '../issues.ts'
import { limitText, requireText } from './check.ts'
import { videoLimits } from './limits.ts'

export const Video = Type.Object(
  {
    videoUrl: Type.String({
      minLength: 1,
      description: `Kakao TV address, at most ${videoLimits.videoUrl} characters`,
    }),
    thumbnailUrl: Type.Optional(
      Type.String({ description: `Thumbnail address, at most ${videoLimits.thumbnailUrl} characters` }),
    ),
  },
  { additionalProperties: false, description: 'Video' },
)

export type Video = Static<typeof Video>

export function checkVideo(video: Video, path: string, issues: Issues): void {
  requireText(video.videoUrl, videoLimits.videoUrl, 'A573', `${path}.videoUrl`, issues)
  const host = URL.canParse(video.videoUrl) ? new URL(video.videoUrl).hostname : ''
  if (video.videoUrl !== '' && host !== 'tv.kakao.com' && !host.endsWith('-tv.kakao.com')) {
    const reason = `must be a Kakao TV address, at the host tv.kakao.com or one that ends in -tv.kakao.com, found ${quote(video.videoUrl)}`
    issues.add(invalidField('A573', `${path}.videoUrl`, reason))
  }
  limitText(video.thumbnailUrl, videoLimits.thumbnailUrl, 'A573', `${path}.thumbnailUrl`, issues)
}
