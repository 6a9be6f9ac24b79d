# The site with its embedded backend, or in front of Supabase (set PUBLIC_SUPABASE_URL).
# docker build -t trellis . && docker run -p 4321:4321 -v trellis:/data -e SITE_URL=https://… trellis
FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DEMO=0 DATA_DIR=/data
COPY package.json package-lock.json ./
RUN npm ci --include=dev --include=optional
# What a build is made from and nothing else: no data, settings or packages of this machine.
COPY astro.config.mjs tsconfig.json ./
COPY content content
COPY public public
COPY src src
RUN npm run build && mkdir -p /data && chown -R node:node /data
USER node
VOLUME /data
EXPOSE 4321
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:4321/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# Not through npm: signals must reach the process itself.
CMD ["node", "--disable-warning=ExperimentalWarning", "src/server/start.mjs"]
