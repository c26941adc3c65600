"""Where catalogues come from: services, addresses and files, asked politely."""
