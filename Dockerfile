# The app as a server of its own. The build takes the public variables, which Next writes into it; secrets come at run time.
#   docker build -t shop --build-arg NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY=pk_… --build-arg NEXT_PUBLIC_SVC_PROGRAM_ID=prg_… \
#     --build-arg NEXT_SERVER_ACTIONS_ENCRYPTION_KEY=… .   # the image holds it in any case
#   docker build -t shop-migrate --target migrate .
#   docker run --rm --env-file .env.production shop-migrate   # behind a pooler, add: -e DATABASE_URL="$DIRECT_URL"
#   docker run --env-file .env.production -p 3000:3000 shop
# `npm run test:deploy` runs these steps where there is no Docker.
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY lib/tracker/package.json ./lib/tracker/package.json
# part: emulators
COPY emulators/package.json ./emulators/package.json
# end: emulators
RUN npm ci --ignore-scripts

# Migrations are a step of each release, before the new servers start.
FROM install AS migrate
COPY . .
CMD ["node", "node_modules/prisma/build/index.js", "migrate", "deploy"]

FROM install AS build
COPY . .
RUN node node_modules/prisma/build/index.js generate
ARG NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY
ARG NEXT_PUBLIC_CLERK_PROXY_URL
ARG NEXT_PUBLIC_CLERK_JS_URL
ARG NEXT_PUBLIC_CLERK_UI_URL
ARG NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED
ARG NEXT_PUBLIC_SVC_PROGRAM_ID
ARG NEXT_PUBLIC_SVC_BASE_URL
ARG APP_URL
ARG STRIPE_API_URL
ARG CHECKOUT_ORIGINS
ARG NEXT_SERVER_ACTIONS_ENCRYPTION_KEY
ENV NEXT_OUTPUT=standalone
ENV NEXT_TELEMETRY_DISABLED=1
RUN npm run build

FROM ${NODE_IMAGE} AS server
WORKDIR /app
ENV NODE_ENV=production
ENV NEXT_TELEMETRY_DISABLED=1
ENV HOSTNAME=0.0.0.0
ENV PORT=3000
COPY --from=build /app/.next/standalone ./
# If you add a folder public: COPY --from=build /app/public ./public
COPY --from=build /app/.next/static ./.next/static
# part: service
COPY --from=build /app/scripts/client-address.mjs ./scripts/client-address.mjs
# end: service
# Its user `node`, as a number: Kubernetes cannot tell from a name that it is not root.
USER 1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./scripts/client-address.mjs", "server.js"]
