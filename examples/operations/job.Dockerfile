# The image of a job. Run node tools/package.ts --platform npm in the clone first, and build in release/ with nightly.sh.
FROM node:26-slim
COPY cardctl-0.1.0.tgz /tmp/
RUN npm install --global /tmp/cardctl-0.1.0.tgz && rm /tmp/cardctl-0.1.0.tgz
COPY nightly.sh /usr/local/share/cardctl/nightly.sh
# The journal of the job, and the rows that failed. Mount a volume here: without it, a second run does not know what the
# first one sent.
RUN mkdir /data && chown node /data
ENV HOME=/data CARDCTL_DATA_DIR=/data
WORKDIR /data
VOLUME /data
USER node
ENTRYPOINT ["sh", "/usr/local/share/cardctl/nightly.sh"]
