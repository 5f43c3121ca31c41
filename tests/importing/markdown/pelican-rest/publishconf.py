SITEURL = "https://boats.example"
