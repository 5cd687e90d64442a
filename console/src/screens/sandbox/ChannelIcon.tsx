/** Icon of the app that shows a message: the phone's own or KakaoTalk. */
import { isKakao, type Channel } from './entries.ts'

export function ChannelIcon({ channel }: { readonly channel: Channel }) {
  return (
    <svg
      className={`app-icon ${isKakao(channel) ? 'kakao' : 'native'}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <rect width="24" height="24" rx="6" />
      {isKakao(channel) ? (
        <path d="M12 6c-4 0-7 2.4-7 5.4 0 1.9 1.3 3.6 3.3 4.5l-.6 2.4 2.8-1.6c.5.1 1 .1 1.5.1 4 0 7-2.4 7-5.4S16 6 12 6Z" />
      ) : (
        <path d="M6 7h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-6l-4 3v-3H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1Z" />
      )}
    </svg>
  )
}
