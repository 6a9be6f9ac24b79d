@rem Windows only: npm runs scripts by cmd there, which has no exec. See src/decisions/013-npm-start-ends-with-npm.md.
@%*
