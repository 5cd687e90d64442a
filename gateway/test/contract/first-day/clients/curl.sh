#!/usr/bin/env bash
# The requests of a first day, sent with curl.
set -euo pipefail

# send <request> <arguments of curl…>: prints the request, the HTTP status and the body, which stays in $body.
send() {
  local request=$1 response
  shift
  response=$(curl -s -w '\t%{http_code}' "$@")
  body=${response%$'\t'*}
  printf '%s\t%s\t%s\n' "$request" "${response##*$'\t'}" "$body"
}

# value <name>: the first string of the body with this name.
value() {
  grep -o "\"$1\":\"[^\"]*\"" <<<"$body" | head -n 1 | cut -d '"' -f 4
}

credentials=(-H "X-SVC-Client-Id: $CLIENT_ID" -H "X-SVC-Client-Passwd: $PASSWORD")
send 'token, empty body' "$BASE_URL/v1/auth/token" "${credentials[@]}" -d ''
send 'token, JSON body' "$BASE_URL/v1/auth/token" "${credentials[@]}" -d '{}'
send 'token' -X POST "$BASE_URL/v1/auth/token" "${credentials[@]}"
authorization=(-H "Authorization: $(value schema) $(value token)")
json=("${authorization[@]}" -H 'Content-Type: application/json')

keys=()
upload() {
  send "upload $1" "$BASE_URL/v1/file/$1" "${authorization[@]}" -F "file=@$BODIES/image.jpg"
  keys+=(-e "s|{{$1}}|$(value "$2")|" -e "s|{{$1 fileKey}}|$(value fileKey)|")
}
upload MMS fileKey
upload RCS media
upload FRIENDTALK/FI imgUrl

for file in "$BODIES"/*.json; do
  request=$(basename "$file" .json)
  sed "${keys[@]}" "$file" >"$BODIES/curl.body"
  send "$request" "$BASE_URL/v1/send/${request%%.*}" "${json[@]}" -d "@$BODIES/curl.body"
done
send 'sms without Content-Type' "$BASE_URL/v1/send/sms" "${authorization[@]}" -d "@$BODIES/sms.json"

for _ in {1..50}; do
  polled=$(send 'polling' "$BASE_URL/v1/report/polling" "${json[@]}")
  [[ $polled != *'"reportId":""'* ]] && break
  sleep 0.2
done
printf '%s\n' "$polled"
body=$polled
key=$(value msgKey)
send 'acknowledgement' -X DELETE "$BASE_URL/v1/report/polling/$(value reportId)" "${json[@]}"
send 'inquiry' "$BASE_URL/v1/report/inquiry/$key" "${json[@]}"
